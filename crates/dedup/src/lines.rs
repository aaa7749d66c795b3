//! The moves of games, kept out of memory: by prefix every game is held against all others once these are
//! known, and reading and playing the input again for that would cost as much as the first time.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _};

use boardprint_base::Digest;
use boardprint_games::Identity;

use super::Fingerprint;
use super::fingerprint::Line;
use super::pipeline::Weight;

const BUFFER: usize = 1 << 18;

/// What is held against other games, in a temporary file without a name: about two bytes per half-move.
pub(super) struct Lines {
    file: BufWriter<File>,
    count: u64,
}

/// A game as it is held against others.
pub(super) struct Probe {
    pub(super) number: u32,
    /// Without a digest. Its text is there if it was.
    pub(super) game: Fingerprint,
}

impl Weight for Probe {
    fn bytes(&self) -> usize {
        let moves = self.game.line.as_ref().map_or(0, |line| line.moves.len());
        moves + self.game.text.text.len()
    }
}

impl Lines {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Lines { file: BufWriter::with_capacity(BUFFER, tempfile::tempfile()?), count: 0 })
    }

    /// Keeps a game, if it has a line.
    pub(super) fn add(&mut self, number: u32, game: &Fingerprint) -> io::Result<()> {
        let Some(line) = &game.line else { return Ok(()) };
        self.count += 1;
        let out = &mut self.file;
        out.write_all(&number.to_le_bytes())?;
        out.write_all(&game.plies.to_le_bytes())?;
        let flags = [game.players.is_some(), game.date.is_some(), line.are_words];
        out.write_all(&flags.map(u8::from))?;
        let numbers = [game.players.unwrap_or(0), game.date.unwrap_or(0), line.start[0], line.start[1]];
        for number in numbers.into_iter().chain([game.text.start as u64]) {
            out.write_all(&number.to_le_bytes())?;
        }
        for bytes in [&line.moves, &game.text.text] {
            out.write_all(&(bytes.len() as u64).to_le_bytes())?;
            out.write_all(bytes)?;
        }
        Ok(())
    }

    /// The games in the order in which they came.
    pub(super) fn read(self) -> io::Result<impl Iterator<Item = io::Result<Probe>> + Send> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        let mut input = BufReader::with_capacity(BUFFER, file);
        Ok((0..self.count).map(move |_| probe(&mut input)))
    }
}

fn probe(input: &mut impl Read) -> io::Result<Probe> {
    let number = u32::from_le_bytes(array(input)?);
    let plies = u32::from_le_bytes(array(input)?);
    let [has_players, has_date, are_words] = array(input)?.map(|flag| flag != 0);
    let mut word = || Ok::<u64, io::Error>(u64::from_le_bytes(array(input)?));
    let (players, date, start, text_start) = (word()?, word()?, [word()?, word()?], word()?);
    let (moves, text) = (bytes(input)?, bytes(input)?);
    let game = Fingerprint {
        digest: Digest([0; 20]),
        text: Identity { text, start: usize::try_from(text_start).unwrap_or(usize::MAX) },
        line: Some(Line { start, key: start, are_words, moves }),
        plies,
        players: has_players.then_some(players),
        date: has_date.then_some(date),
        richness: 0,
    };
    Ok(Probe { number, game })
}

fn array<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let len = usize::try_from(u64::from_le_bytes(array(input)?)).unwrap_or(usize::MAX);
    // It is what was written just now, so that its length can be believed.
    let mut bytes = vec![0; len];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{By, Collection, Games as _};
    use boardprint_games::{Encoding, Format, Record};

    #[test]
    fn games_come_back_with_what_is_compared() {
        let record = |format, text: &str| Record {
            source: "-e".into(),
            number: 1,
            line: 1,
            column: 1,
            offset: 0,
            format,
            byte_order_mark: false,
            encoding: Encoding::default(),
            size: text.len() as u64,
            text: text.to_owned(),
        };
        let games = [
            record(
                Format::Pgn,
                "[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2020.01.02\"]\n\n1. e4 e5 2. Nf3 *",
            ),
            record(Format::Icn, "K1,1|k1,9 1,1>1,2|1,9>1,8"),
            record(Format::Pgn, "1. d4 *"),
        ];
        let prints = games.map(|game| Collection::default().fingerprint(&game, By::Prefix).unwrap());
        let mut lines = Lines::new().unwrap();
        for (number, print) in (5..).zip(&prints) {
            lines.add(number, print).unwrap();
        }
        let probes: Vec<Probe> = lines.read().unwrap().map(Result::unwrap).collect();
        assert_eq!(probes.len(), 3);
        for ((number, print), Probe { number: found, game }) in (5..).zip(prints).zip(probes) {
            assert_eq!(found, number);
            let keys = |game: &Fingerprint| {
                let mut keys = Vec::new();
                game.line.as_ref().unwrap().each_key(|ply, key| keys.push((ply, key)));
                keys
            };
            assert_eq!(keys(&game).len(), print.plies as usize + 1);
            assert_eq!(keys(&game), keys(&print));
            assert_eq!(keys(&print).last().unwrap().1, print.line.as_ref().unwrap().key());
            assert_eq!((game.plies, game.players, game.date), (print.plies, print.players, print.date));
            assert_eq!(game.text, print.text);
        }
    }
}
