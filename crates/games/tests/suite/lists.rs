//! Lists of the open board, whatever players they name: what is read comes back from ICN and from JSON.

use boardprint_bridge::{Lossy, Marks, list};
use boardprint_games::{Content, Format, ReadOptions};
use boardprint_icn::{canonical, json};

fn read(format: Format, text: &str) -> Option<Content<'static>> {
    let content = ReadOptions::default().read_text(format, text).ok()?.content;
    match content {
        Content::Infinite(game) => Some(Content::Infinite(game)),
        _ => None,
    }
}

fn cpn(content: &Content<'_>) -> String {
    let Content::Infinite(game) = content else { panic!("not on the open board") };
    Lossy::parts(list::to_cpn(&game.start, Marks::AsGiven)).0.to_string()
}

#[test]
fn a_list_that_is_read_comes_back_from_icn_and_json() {
    let players = [0, 1, 2, 3, 6, 7, 4_294_967_295_u32];
    let one = players.iter().map(|player| vec![*player]);
    let two = players.iter().flat_map(|a| players.iter().map(|b| vec![*a, *b]));
    let three = [vec![1, 7, 2], vec![7, 7, 1], vec![2, 1, 2], vec![1, 1, 1]];
    let (mut accepted, mut refused) = (0, Vec::new());
    for cycle in one.chain(two).chain(three) {
        let turn: Vec<String> = cycle.iter().map(ToString::to_string).collect();
        let side = if cycle[0] == 1 { 'B' } else { 't' };
        let text = format!(
            "{side}--3--infinite_7:^k_9_9,INFINITE:+^K_1_1,infinite_0:+p_1_0--infinite_0:turn_{}",
            turn.join("_")
        );
        let Some(content) = read(Format::Cpn, &text) else {
            refused.push(turn.join("_"));
            continue;
        };
        accepted += 1;
        let Content::Infinite(game) = &content else { unreachable!("it was read as such") };
        for (format, again) in [
            (Format::Icn, canonical(game)),
            (Format::Json, json::write(game, json::MoveForm::default()).expect("no moves")),
        ] {
            let back = read(format, &again).unwrap_or_else(|| panic!("{text}: {again}"));
            assert_eq!(cpn(&back), text, "{again}");
        }
    }
    assert_eq!(accepted, 54);
    assert_eq!(refused, ["1", "2", "7", "4294967295", "1_2", "2_1"]);
}

#[test]
fn a_list_that_nothing_else_could_carry_is_refused() {
    for text in ["B--0----infinite_0:turn_1_3", "B--1--INFINITE:ZZ_0_0--", "B--0----"] {
        assert!(read(Format::Cpn, text).is_none(), "{text}");
    }
}
