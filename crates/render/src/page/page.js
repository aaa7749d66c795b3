"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const frames = [];
  // A frame is a list of numbers: a negative one is a line of its own, two others copy a run of the frame before.
  const decode = (kind, ply) => {
    const known = (frames[kind] ||= []);
    while (known.length <= ply) {
      const before = known[known.length - 1], code = data[kind][known.length], lines = [];
      for (let at = 0; at < code.length; at++) {
        if (code[at] < 0) lines.push(-1 - code[at]);
        else {
          const from = code[at], count = code[++at];
          for (let index = from; index < from + count; index++) lines.push(before[index]);
        }
      }
      known.push(lines);
    }
    return known[ply].map((line) => data.lines[line]).join("\n");
  };
  const last = data.svg.length - 1;
  const moves = [...document.querySelectorAll("#moves button")];
  let now = -1;
  const show = (ply, focus) => {
    ply = Math.max(0, Math.min(last, ply));
    if (ply === now) return;
    now = ply;
    const picture = new DOMParser().parseFromString(decode("svg", ply), "image/svg+xml").documentElement;
    $("board").replaceChildren(document.importNode(picture, true));
    $("text").textContent = decode("text", ply);
    $("say").textContent = data.say[ply];
    for (const move of moves) {
      if (Number(move.dataset.ply) === ply) {
        move.setAttribute("aria-current", "true");
        move.scrollIntoView({ block: "nearest" });
        if (focus) move.focus({ preventScroll: true });
      } else move.removeAttribute("aria-current");
    }
    $("first").disabled = $("back").disabled = ply === 0;
    $("next").disabled = $("last").disabled = ply === last;
    try { history.replaceState(null, "", "#" + ply); } catch { /* not every page may change its address */ }
  };
  const fromAddress = () => {
    const ply = /^#\d{1,9}$/.test(location.hash) ? Number(location.hash.slice(1)) : 0;
    show(ply);
  };
  $("first").addEventListener("click", () => show(0));
  $("back").addEventListener("click", () => show(now - 1));
  $("next").addEventListener("click", () => show(now + 1));
  $("last").addEventListener("click", () => show(last));
  $("moves").addEventListener("click", (event) => {
    const move = event.target.closest("button");
    if (move) show(Number(move.dataset.ply));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to, moves.includes(document.activeElement));
  });
  window.addEventListener("hashchange", fromAddress);
  $("nav").hidden = false;
  fromAddress();
})();
