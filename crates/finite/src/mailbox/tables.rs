//! How the pieces move, as data, and the ways from every square that follow from it.

use std::sync::LazyLock;

use boardprint_base::Side;

use crate::game::Game;
use crate::man::Man;

/// What a piece may do on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Move and capture.
    Both,
    /// Move only.
    Quiet,
    /// Capture only.
    Capture,
    /// Move as a chariot; capture over exactly one piece.
    Cannon,
    /// Move and capture over exactly one piece; neither that nor the victim is a cannon.
    JanggiCannon,
    /// Neither: the generals of Xiangqi may not see each other.
    Face,
}

/// The shape of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Straight to the goal, over anything.
    Jump,
    /// One straight step, then diagonal ones; every square before the goal must be free.
    Lame,
    /// Any number of equal steps.
    Slide,
}

/// Where a piece may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zone {
    Anywhere,
    /// Inside the palace of its side.
    Palace,
    /// This side of the river.
    Home,
    /// From beyond the river only.
    Abroad,
    /// Along the diagonals that are drawn in the palaces.
    Lines,
    /// The same in the palace of its side.
    OwnLines,
    /// The same in the palace of the other side.
    EnemyLines,
}

/// Some ways of a piece: directions as the first player sees them.
struct Ways(&'static [(i8, i8)], Shape, Mode, Zone);

const ORTHOGONAL: &[(i8, i8)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: &[(i8, i8)] = &[(1, 1), (1, -1), (-1, -1), (-1, 1)];
const FORWARD: &[(i8, i8)] = &[(0, 1)];
const SIDEWAYS: &[(i8, i8)] = &[(1, 0), (-1, 0)];
const FORWARD_DIAGONAL: &[(i8, i8)] = &[(1, 1), (-1, 1)];
const KNIGHT: &[(i8, i8)] = &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const SHOGI_KNIGHT: &[(i8, i8)] = &[(1, 2), (-1, 2)];
const ELEPHANT: &[(i8, i8)] = &[(2, 2), (2, -2), (-2, -2), (-2, 2)];
const JANGGI_ELEPHANT: &[(i8, i8)] =
    &[(2, 3), (3, 2), (3, -2), (2, -3), (-2, -3), (-3, -2), (-3, 2), (-2, 3)];

const fn step(directions: &'static [(i8, i8)]) -> Ways {
    Ways(directions, Shape::Jump, Mode::Both, Zone::Anywhere)
}

const fn slide(directions: &'static [(i8, i8)]) -> Ways {
    Ways(directions, Shape::Slide, Mode::Both, Zone::Anywhere)
}

static WESTERN: [&[Ways]; 6] = [
    &[
        Ways(FORWARD, Shape::Jump, Mode::Quiet, Zone::Anywhere),
        Ways(FORWARD_DIAGONAL, Shape::Jump, Mode::Capture, Zone::Anywhere),
    ],
    &[step(KNIGHT)],
    &[slide(DIAGONAL)],
    &[slide(ORTHOGONAL)],
    &[slide(ORTHOGONAL), slide(DIAGONAL)],
    &[step(ORTHOGONAL), step(DIAGONAL)],
];

/// Pawn, horse, khon, boat, met, king.
static MAKRUK: [&[Ways]; 6] = [
    WESTERN[0],
    WESTERN[1],
    &[step(DIAGONAL), step(FORWARD)],
    &[slide(ORTHOGONAL)],
    &[step(DIAGONAL)],
    &[step(ORTHOGONAL), step(DIAGONAL)],
];

const GOLD: &[Ways] = &[step(ORTHOGONAL), step(FORWARD_DIAGONAL)];

/// Rook, bishop, gold, silver, knight, lance, pawn, king; then the promoted ones.
static SHOGI: [&[Ways]; 15] = [
    &[slide(ORTHOGONAL)],
    &[slide(DIAGONAL)],
    GOLD,
    &[step(DIAGONAL), step(FORWARD)],
    &[step(SHOGI_KNIGHT)],
    &[slide(FORWARD)],
    &[step(FORWARD)],
    &[step(ORTHOGONAL), step(DIAGONAL)],
    &[slide(ORTHOGONAL), step(DIAGONAL)],
    &[slide(DIAGONAL), step(ORTHOGONAL)],
    &[],
    GOLD,
    GOLD,
    GOLD,
    GOLD,
];

/// Soldier, cannon, chariot, horse, elephant, advisor, general.
static XIANGQI: [&[Ways]; 7] = [
    &[step(FORWARD), Ways(SIDEWAYS, Shape::Jump, Mode::Both, Zone::Abroad)],
    &[Ways(ORTHOGONAL, Shape::Slide, Mode::Cannon, Zone::Anywhere)],
    &[slide(ORTHOGONAL)],
    &[Ways(KNIGHT, Shape::Lame, Mode::Both, Zone::Anywhere)],
    &[Ways(ELEPHANT, Shape::Lame, Mode::Both, Zone::Home)],
    &[Ways(DIAGONAL, Shape::Jump, Mode::Both, Zone::Palace)],
    &[
        Ways(ORTHOGONAL, Shape::Jump, Mode::Both, Zone::Palace),
        Ways(FORWARD, Shape::Slide, Mode::Face, Zone::Anywhere),
    ],
];

const IN_PALACE: &[Ways] = &[
    Ways(ORTHOGONAL, Shape::Jump, Mode::Both, Zone::Palace),
    Ways(DIAGONAL, Shape::Jump, Mode::Both, Zone::OwnLines),
];

/// Soldier, cannon, chariot, horse, elephant, guard, general.
static JANGGI: [&[Ways]; 7] = [
    &[step(FORWARD), step(SIDEWAYS), Ways(FORWARD_DIAGONAL, Shape::Jump, Mode::Both, Zone::EnemyLines)],
    &[
        Ways(ORTHOGONAL, Shape::Slide, Mode::JanggiCannon, Zone::Anywhere),
        Ways(DIAGONAL, Shape::Slide, Mode::JanggiCannon, Zone::Lines),
    ],
    &[slide(ORTHOGONAL), Ways(DIAGONAL, Shape::Slide, Mode::Both, Zone::Lines)],
    &[Ways(KNIGHT, Shape::Lame, Mode::Both, Zone::Anywhere)],
    &[Ways(JANGGI_ELEPHANT, Shape::Lame, Mode::Both, Zone::Anywhere)],
    IN_PALACE,
    IN_PALACE,
];

/// The place of the cannon among the kinds of Janggi.
pub(super) const CANNON: usize = 1;

fn ways_of(game: Game, code: usize) -> &'static [Ways] {
    let table: &[&[Ways]] = match game {
        Game::Western => &WESTERN,
        Game::Makruk => &MAKRUK,
        Game::Shogi => &SHOGI,
        Game::Xiangqi => &XIANGQI,
        Game::Janggi => &JANGGI,
    };
    table.get(code % 16).copied().unwrap_or_default()
}

/// A way from a square: the squares it leads over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    start: u32,
    len: u8,
    pub(super) mode: Mode,
    /// Whether every square is a goal and not the last one only.
    pub(super) slides: bool,
}

/// The ways of all pieces of a game from all squares.
#[derive(Debug)]
pub(super) struct Tables {
    squares: usize,
    rays: Vec<Ray>,
    /// The squares of all rays, one after another.
    path: Vec<u8>,
    /// Where the rays of a piece on a square begin and end.
    index: Vec<(u32, u32)>,
    /// The squares that a piece on a square may attack if nothing or the right thing is in its way.
    attacks: Vec<u128>,
    /// The same with squares it only moves to.
    goals: Vec<u128>,
}

static TABLES: LazyLock<[Tables; Game::ALL.len()]> = LazyLock::new(|| Game::ALL.map(Tables::new));

impl Tables {
    pub(super) fn of(game: Game) -> &'static Tables {
        &TABLES[usize::from(game.code()) - 1]
    }

    #[inline]
    pub(super) fn rays(&self, man: Man, square: usize) -> &[Ray] {
        let (start, end) = self.index[man.code() * self.squares + square];
        &self.rays[start as usize..end as usize]
    }

    #[inline]
    pub(super) fn path(&self, ray: Ray) -> &[u8] {
        &self.path[ray.start as usize..][..usize::from(ray.len)]
    }

    #[inline]
    pub(super) fn attacks(&self, man: Man, square: usize) -> u128 {
        self.attacks[man.code() * self.squares + square]
    }

    #[inline]
    pub(super) fn goals(&self, man: Man, square: usize) -> u128 {
        self.goals[man.code() * self.squares + square]
    }

    fn new(game: Game) -> Self {
        let squares = game.squares();
        let mut tables = Tables {
            squares,
            rays: Vec::new(),
            path: Vec::new(),
            index: Vec::with_capacity(Man::CODES * squares),
            attacks: Vec::with_capacity(Man::CODES * squares),
            goals: Vec::with_capacity(Man::CODES * squares),
        };
        for code in 0..Man::CODES {
            let side = if code < 16 { Side::Bottom } else { Side::Top };
            for square in 0..squares {
                tables.add(Place { game, side, square }, ways_of(game, code));
            }
        }
        tables
    }

    #[expect(clippy::cast_possible_truncation, reason = "boards are small: all these numbers are")]
    fn add(&mut self, place: Place, all: &[Ways]) {
        let first = self.rays.len() as u32;
        let (mut attacks, mut goals) = (0, 0);
        for Ways(directions, shape, mode, zone) in all {
            for direction in *directions {
                let path = place.path(*direction, *shape, *zone);
                let Some(last) = path.last() else { continue };
                let slides = *shape == Shape::Slide;
                let bits = if slides {
                    path.iter().fold(0, |bits, square| bits | 1_u128 << square)
                } else {
                    1 << last
                };
                attacks |= if *mode == Mode::Quiet { 0 } else { bits };
                goals |= if *mode == Mode::Face { 0 } else { bits };
                let ray = Ray { start: self.path.len() as u32, len: path.len() as u8, mode: *mode, slides };
                self.rays.push(ray);
                self.path.extend(path);
            }
        }
        self.index.push((first, self.rays.len() as u32));
        self.attacks.push(attacks);
        self.goals.push(goals);
    }
}

/// Where a piece stands and how it sees the board.
#[derive(Clone, Copy)]
struct Place {
    game: Game,
    side: Side,
    square: usize,
}

/// File and rank as the first player counts them, from 0.
type Point = (i8, i8);

impl Place {
    #[expect(clippy::cast_possible_truncation, reason = "boards are small")]
    fn size(self) -> Point {
        (self.game.files() as i8, self.game.ranks() as i8)
    }

    /// The squares that a way leads over, as far as the piece may go.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "boards are small")]
    fn path(self, (dx, dy): (i8, i8), shape: Shape, zone: Zone) -> Vec<u8> {
        let dy = if self.side == Side::Bottom { dy } else { -dy };
        let (files, ranks) = self.size();
        let mut at = ((self.square % self.game.files()) as i8, (self.square / self.game.files()) as i8);
        let start = at;
        let longest = dx.abs().max(dy.abs());
        let mut path = Vec::new();
        loop {
            let before = at;
            at = match shape {
                Shape::Jump | Shape::Slide => (at.0 + dx, at.1 + dy),
                Shape::Lame if path.is_empty() => (at.0 + dx / longest, at.1 + dy / longest),
                Shape::Lame => (at.0 + dx.signum(), at.1 + dy.signum()),
            };
            let on_board = (0..files).contains(&at.0) && (0..ranks).contains(&at.1);
            if !on_board || !self.allows(zone, start, before, at) {
                // A way that stops early leads nowhere, unless it has goals on its way.
                return if shape == Shape::Slide { path } else { Vec::new() };
            }
            path.push((at.1 * files + at.0) as u8);
            if shape == Shape::Jump || shape == Shape::Lame && at == (start.0 + dx, start.1 + dy) {
                return path;
            }
        }
    }

    fn allows(self, zone: Zone, start: Point, before: Point, to: Point) -> bool {
        let (own, enemy) = (self.side, self.side.opponent());
        match zone {
            Zone::Anywhere => true,
            Zone::Palace => self.in_palace(own, to),
            Zone::Home => self.depth(to) < 5,
            Zone::Abroad => self.depth(start) >= 5,
            Zone::Lines => self.on_line(own, before, to) || self.on_line(enemy, before, to),
            Zone::OwnLines => self.on_line(own, before, to),
            Zone::EnemyLines => self.on_line(enemy, before, to),
        }
    }

    /// The rank as the side counts it, from 0.
    fn depth(self, at: Point) -> i8 {
        if self.side == Side::Bottom { at.1 } else { self.size().1 - 1 - at.1 }
    }

    fn in_palace(self, of: Side, at: Point) -> bool {
        let depth = if of == Side::Bottom { at.1 } else { self.size().1 - 1 - at.1 };
        (3..=5).contains(&at.0) && depth <= 2
    }

    /// Whether a diagonal step follows a line of a palace: one of its ends is the centre.
    fn on_line(self, of: Side, from: Point, to: Point) -> bool {
        let centre = (4, if of == Side::Bottom { 1 } else { self.size().1 - 2 });
        self.in_palace(of, from) && self.in_palace(of, to) && (from == centre || to == centre)
    }
}
