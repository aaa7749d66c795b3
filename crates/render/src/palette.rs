//! The colours of players.

use boardprint_base::Player;

/// A colour, as `#rrggbb` in SVG and as three numbers in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// How a player's pieces are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    pub(crate) fill: Colour,
    pub(crate) stroke: Colour,
    pub(crate) detail: Colour,
}

const INKS: [Ink; 7] = [
    Ink {
        fill: Colour(0x8e, 0x95, 0x9e),
        stroke: Colour(0x3a, 0x39, 0x37),
        detail: Colour(0x3a, 0x39, 0x37),
    },
    Ink {
        fill: Colour(0xfd, 0xfc, 0xf8),
        stroke: Colour(0x1f, 0x1f, 0x1f),
        detail: Colour(0x1f, 0x1f, 0x1f),
    },
    Ink {
        fill: Colour(0x2e, 0x2e, 0x33),
        stroke: Colour(0x0d, 0x0d, 0x0f),
        detail: Colour(0xf4, 0xf2, 0xec),
    },
    Ink {
        fill: Colour(0xd9, 0x48, 0x3f),
        stroke: Colour(0x4a, 0x0f, 0x0c),
        detail: Colour(0xff, 0xff, 0xff),
    },
    Ink {
        fill: Colour(0x3f, 0x7b, 0xd9),
        stroke: Colour(0x0d, 0x25, 0x4d),
        detail: Colour(0xff, 0xff, 0xff),
    },
    Ink {
        fill: Colour(0xf2, 0xc5, 0x31),
        stroke: Colour(0x4d, 0x3b, 0x00),
        detail: Colour(0x4d, 0x3b, 0x00),
    },
    Ink {
        fill: Colour(0x4a, 0xa3, 0x59),
        stroke: Colour(0x0c, 0x38, 0x15),
        detail: Colour(0xff, 0xff, 0xff),
    },
];

/// How a player's pieces are coloured; players without a colour of their own get hues far from each other.
pub(crate) fn ink(player: Player) -> Ink {
    let Player(number) = player;
    INKS.get(number as usize).copied().unwrap_or_else(|| {
        // Consecutive players are far apart on the circle; the first ones fall between the named colours.
        let hue = (u64::from(number) * 255 + 300) % 360;
        Ink { fill: from_hue(hue, 80, 215), stroke: from_hue(hue, 15, 75), detail: Colour(0xff, 0xff, 0xff) }
    })
}

/// The colour of a hue in degrees whose weakest and strongest parts are given.
fn from_hue(hue: u64, low: u8, high: u8) -> Colour {
    let part = |from: u64| {
        // Full for 120 degrees, fading over 60 degrees on both sides.
        let distance = (hue + 360 - from) % 360;
        let distance = distance.min(360 - distance);
        let strength = 120_u64.saturating_sub(distance.max(60));
        let value = u64::from(low) + u64::from(high - low) * strength / 60;
        u8::try_from(value).unwrap_or(high)
    };
    Colour(part(0), part(120), part(240))
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_are_those_of_the_circle() {
        for (hue, text) in
            [(0, "#ff0000"), (60, "#ffff00"), (120, "#00ff00"), (180, "#00ffff"), (300, "#ff00ff")]
        {
            assert_eq!(from_hue(hue, 0, 255).to_string(), text);
        }
    }

    #[test]
    fn neighbouring_players_look_different() {
        for number in 0..60 {
            assert_ne!(ink(Player(number)).fill, ink(Player(number + 1)).fill);
        }
    }
}
