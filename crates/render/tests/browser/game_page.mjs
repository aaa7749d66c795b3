// Checks the page of a whole game in Chromium. `cargo test` does without; run it by hand or in CI:
//
//   cargo run -p boardprint-render --example game_page > game.html
//   PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install playwright-core axe-core
//   node crates/render/tests/browser/game_page.mjs game.html [folder for screenshots]
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// From where it is run, so that packages need not lie beside this file.
const require = createRequire(join(process.cwd(), "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [file, shots] = process.argv.slice(2);
const address = pathToFileURL(resolve(file)).href;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

const wrong = [];
for (const [name, colorScheme, width, height] of [["light", "light", 1000, 760], ["phone", "dark", 390, 800]]) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => request.url().startsWith("file:") || wrong.push(request.url()));
  await page.goto(address);
  const seen = () => page.evaluate(() => ({
    move: document.querySelector("#moves [aria-current]").textContent,
    address: location.hash,
    pieces: document.querySelectorAll("#board use").length,
    said: document.getElementById("say").textContent,
  }));
  assert.deepEqual(await seen(), { move: "Start", address: "#0", pieces: 32, said: "Start, white to move" });
  for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowRight");
  assert.deepEqual(await seen(), { move: "d4", address: "#5", pieces: 32, said: "3. d4, black to move" });
  await page.keyboard.press("End");
  assert.deepEqual(await seen(), { move: "Rd8#", address: "#33", pieces: 20, said: "17. Rd8#, black to move" });
  await page.keyboard.press("ArrowRight");
  assert.equal((await seen()).address, "#33");
  await page.keyboard.press("Home");
  assert.equal((await seen()).address, "#0");
  await page.click("#moves button[data-ply='12']");
  await page.keyboard.press("ArrowRight");
  assert.equal((await seen()).move, "Qb3");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.ply), "13");
  await page.click("#back");
  assert.equal((await seen()).move, "Nf6");
  await page.goto(address + "#20");
  assert.equal((await seen()).address, "#20");
  await page.click("summary");
  assert.match(await page.textContent("#text"), /♔/);
  if (shots) await page.screenshot({ path: join(shots, `game-page-${name}.png`), fullPage: true });
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run()).violations.map((rule) => rule.id)), []);
  // The page's own policy stops what a hostile file might have brought along.
  assert.equal(await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.broken = true";
    document.body.append(script);
    return window.broken;
  }), undefined);
  assert.match(wrong.pop() ?? "", /Content Security Policy/);
  await page.close();
}
const still = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
await still.goto(address);
assert.equal(await still.locator("#board use").count(), 20);
assert.deepEqual(wrong, []);
await browser.close();
console.log("the page works");
