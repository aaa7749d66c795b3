//! Loads of what was built elsewhere: games that are numbered by their place, postings that are sorted,
//! duplicates already left out.
//!
//! Postings may come through one process, or several processes put them in at once, each the part with a
//! range of hashes. Nothing counts before [`Db::load_built`] has ended: blocks lie under a run number that
//! the manifest does not name, and the next writer removes what nobody names.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use boardprint_base::Digest;

use super::build::{Item, Positions, Totals, row_of};
use super::codec::{Cursor, put_bytes, put_varint};
use super::counts::{Counts, Summariser, Summary};
use super::engine::{Engine, Tree, Write};
use super::error::{Error, Result};
use super::game::StoredGame;
use super::head::DatabaseId;
use super::log::{Address, CopyNote, RejectNote, SourceMark};
use super::manifest::{Manifest, Source};
use super::posting::{Posting, Prefix};
use super::ratings::Rater;
use super::recover::{enter_source, put_source};
use super::replay::Replay;
use super::run::{BlockBuilder, Entry, OpenBlock, Run};
use super::words::Words;
use super::writer::{Committer, Numbered};
use super::{Db, Ingested};

/// A game in its place: the first of a load gets the next number of the database, and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltGame {
    /// The game; `source.file` is the place of its source in [`BuiltNotes::sources`].
    pub game: StoredGame,
    /// What tells the game from others.
    pub hash: Digest,
    /// The laws, unless they are the usual ones.
    pub laws: Option<String>,
}

/// What is known beside games and postings.
#[derive(Clone, Debug, Default)]
pub struct BuiltNotes {
    /// The source files, and how far they were read.
    pub sources: Vec<Source>,
    /// Records that were games already; `place.file` is the place of the source in `sources`.
    pub copies: Vec<CopyNote>,
    /// Records that could not be read.
    pub rejects: Vec<RejectNote>,
}

/// The postings of a load.
pub enum BuiltPostings<'a> {
    /// All of them, in order, no two alike.
    Sorted(Box<dyn Iterator<Item = Result<Posting>> + Send + 'a>),
    /// What [`load_part`] put in, in the order of their ranges.
    Parts(LoadTarget, Vec<RunPart>),
}

/// Where the parts of a load go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadTarget {
    id: DatabaseId,
    index: u32,
    run: u32,
    counts_from: u32,
}

impl LoadTarget {
    /// As a text, to be sent to other processes.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{} {} {} {}", self.id, self.index, self.run, self.counts_from)
    }

    /// Reads what [`LoadTarget::to_text`] wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let target = LoadTarget {
            id: DatabaseId::parse(words.next()?)?,
            index: words.next()?.parse().ok()?,
            run: words.next()?.parse().ok()?,
            counts_from: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(target)
    }
}

/// A part of a run that lies in the index already, but for its last blocks: what comes after them is known
/// only when all parts are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPart {
    postings: (Run, Option<OpenBlock>),
    counts: (Run, Option<OpenBlock>),
    /// The greatest game.
    games: u64,
}

impl RunPart {
    /// As bytes, to be sent to the process that ends the load.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.games);
        for (run, open) in [&self.postings, &self.counts] {
            for number in [run.id.into(), run.entries, run.blocks, run.bytes] {
                put_varint(&mut out, number);
            }
            put_bytes(&mut out, &run.first);
            put_varint(&mut out, open.as_ref().map_or(0, |open| open.count as u64));
            if let Some(open) = open {
                put_bytes(&mut out, &open.key);
                put_bytes(&mut out, &open.body);
            }
        }
        let check = crc32fast::hash(&out);
        out.extend_from_slice(&check.to_le_bytes());
        out
    }

    /// Reads what [`RunPart::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// If it is not that.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let part = bytes.split_last_chunk::<4>().and_then(|(body, check)| {
            let good = crc32fast::hash(body) == u32::from_le_bytes(*check);
            Self::take(&mut Cursor::new(body)).filter(|_| good)
        });
        part.ok_or_else(|| Error::inconsistent(Tree::Postings, "a part of a load cannot be read"))
    }

    fn take(input: &mut Cursor<'_>) -> Option<Self> {
        fn one(input: &mut Cursor<'_>) -> Option<(Run, Option<OpenBlock>)> {
            let id = u32::try_from(input.varint()?).ok()?;
            let [entries, blocks, bytes] = [input.varint()?, input.varint()?, input.varint()?];
            let run = Run { id, level: 0, entries, blocks, bytes, first: input.bytes()?.into() };
            let open = match usize::try_from(input.varint()?).ok()? {
                0 => None,
                count => {
                    Some(OpenBlock { key: input.bytes()?.to_vec(), body: input.bytes()?.to_vec(), count })
                }
            };
            Some((run, open))
        }
        let games = input.varint()?;
        let part = RunPart { postings: one(input)?, counts: one(input)?, games };
        input.is_empty().then_some(part)
    }
}

/// Packs sorted postings and the counts of those that occur often.
struct PartBuilder {
    postings: BlockBuilder<Posting>,
    counts: BlockBuilder<Summary>,
    summariser: Summariser<'static>,
    last: Option<Posting>,
    games: u64,
}

impl PartBuilder {
    fn new(run: u32, counts_from: usize) -> Self {
        PartBuilder {
            postings: BlockBuilder::new(run, 0),
            counts: BlockBuilder::new(run, 0),
            // The games come later.
            summariser: Summariser::new(counts_from, Rater::Nobody),
            last: None,
            games: 0,
        }
    }

    fn push(&mut self, posting: Posting, out: &mut Vec<Write>) -> Result<()> {
        if self.last.as_ref().is_some_and(|last| *last >= posting) {
            return Err(Error::inconsistent(Tree::Postings, "the postings of a load are not in order"));
        }
        self.games = self.games.max(posting.game() + 1);
        out.extend(self.summariser.push(&posting)?.and_then(|summary| self.counts.push(summary)));
        self.last = Some(posting.clone());
        out.extend(self.postings.push(posting));
        Ok(())
    }

    fn finish(mut self, out: &mut Vec<Write>) -> RunPart {
        out.extend(self.summariser.take().and_then(|summary| self.counts.push(summary)));
        RunPart { postings: self.postings.leave_open(), counts: self.counts.leave_open(), games: self.games }
    }
}

/// This many blocks go to the engine at once.
const GROUP: usize = 1024;

/// Puts the postings of one range of hashes into the index of a load that another process has begun; see
/// [`Db::load_target`]. The range begins with the first prefix and ends before the second. Called again for
/// the same range, it replaces what the earlier call left.
///
/// # Errors
///
/// If the database is not on a server or not the one of the target, the postings are out of order or out of
/// the range, or the server fails.
pub fn load_part(
    path: &Path,
    target: &LoadTarget,
    range: (Prefix, Option<Prefix>),
    postings: &mut dyn Iterator<Item = Result<Posting>>,
) -> Result<RunPart> {
    let engine = part_engine(path, target)?;
    let bound = |prefix: Option<Prefix>| match prefix {
        Some(prefix) => [&target.run.to_be_bytes()[..], &prefix.0].concat(),
        None => super::run::run_bounds(target.run).1,
    };
    for tree in [Tree::Postings, Tree::Counts] {
        engine.delete_range(tree, &bound(Some(range.0)), &bound(range.1))?;
    }
    let mut builder = PartBuilder::new(target.run, target.counts_from as usize);
    let mut group = Vec::new();
    for posting in postings {
        let posting = posting?;
        let prefix = posting.prefix();
        if prefix < range.0 || range.1.is_some_and(|end| prefix >= end) {
            return Err(Error::inconsistent(Tree::Postings, "a posting of a load is not in its range"));
        }
        builder.push(posting, &mut group)?;
        if group.len() >= GROUP {
            engine.load(std::mem::take(&mut group))?;
        }
    }
    let part = builder.finish(&mut group);
    engine.load(group)?;
    engine.sync()?;
    Ok(part)
}

#[cfg(feature = "postgres")]
fn part_engine(path: &Path, target: &LoadTarget) -> Result<super::postgres::PostgresEngine> {
    use super::home::Found;
    use super::place::Place;
    let Place::Server(server) = Place::of(path)? else { return Err(not_a_server()) };
    let Found::Head(head) = server.look()? else { return Err(Error::NoDatabase { path: server.name() }) };
    if head.id != target.id {
        let (found, wanted) = (head.id.to_string(), target.id.to_string());
        return Err(Error::OtherDatabase { path: server.name(), found, wanted });
    }
    server.write_part()?;
    Ok(super::postgres::PostgresEngine::new(server, target.index))
}

#[cfg(not(feature = "postgres"))]
fn part_engine(path: &Path, _: &LoadTarget) -> Result<super::MemoryEngine> {
    super::place::Place::of(path)?;
    Err(not_a_server())
}

fn not_a_server() -> Error {
    Error::Engine("only a database on a server can be filled by several processes".to_owned())
}

impl Db {
    /// Where the parts of a load go. This database must stay open until [`Db::load_built`] has ended the load.
    ///
    /// # Errors
    ///
    /// If the database cannot be written.
    pub fn load_target(&self, replay: &dyn Replay) -> Result<LoadTarget> {
        drop(self.writer(replay)?);
        let shared = &self.shared;
        let counts_from = u32::try_from(shared.options.counts_from).unwrap_or(u32::MAX);
        Ok(LoadTarget {
            id: shared.log.id(),
            index: shared.index_number,
            run: shared.new_run()?,
            counts_from,
        })
    }

    /// Takes in what was built elsewhere. On a server it is all or nothing; in a folder an interruption may
    /// leave the first of the games, which the next writer indexes. Nobody looks for duplicates.
    ///
    /// # Errors
    ///
    /// If games or postings fail or do not fit together, or the disk or the engine fails.
    pub fn load_built(
        &self,
        games: &mut dyn Iterator<Item = Result<BuiltGame>>,
        postings: BuiltPostings<'_>,
        notes: BuiltNotes,
        replay: &dyn Replay,
    ) -> Result<Ingested> {
        let (_, mut committer) = self.writer(replay)?;
        let ingested = committer.guarded(|committer| committer.load_built(games, postings, notes, replay));
        // It does not know the new games.
        *self.shared.filter.lock().unwrap_or_else(PoisonError::into_inner) = None;
        ingested
    }
}

impl Committer<'_> {
    fn load_built(
        &mut self,
        games: &mut dyn Iterator<Item = Result<BuiltGame>>,
        postings: BuiltPostings<'_>,
        notes: BuiltNotes,
        replay: &dyn Replay,
    ) -> Result<Ingested> {
        let shared = self.shared();
        let mut manifest = (*shared.writer_manifest()).clone();
        let part = match postings {
            BuiltPostings::Sorted(postings) => self.load_sorted(postings)?,
            BuiltPostings::Parts(target, parts) => {
                if target.id != manifest.id || target.index != shared.index_number {
                    return Err(Error::inconsistent(Tree::Postings, "the parts are of another load"));
                }
                self.join_parts(target.run, parts)?
            }
        };
        let first = manifest.next_game;
        self.load_games(&mut manifest, games, notes, replay)?;
        if part.games > manifest.next_game {
            let what = format!("a position of game {} is there, but not the game", part.games - 1);
            return Err(Error::inconsistent(Tree::Postings, what));
        }
        let postings = part.postings.0.entries;
        // As high as if this many had come in batches, so that sizes within a level are alike.
        let level = (postings / (4 << 20)).max(1).ilog(shared.options.fan_in as u64).min(200) as u8;
        manifest.unrated.insert(part.postings.0.id);
        manifest.runs.push(Tree::Postings, Run { level, ..part.postings.0 });
        manifest.runs.push(Tree::Counts, Run { level, ..part.counts.0 });
        shared.engine.sync()?;
        let games = manifest.next_game - first;
        let duplicates = manifest.duplicates - shared.manifest().duplicates;
        self.publish(manifest, false)?;
        self.merge(false)?;
        Ok(Ingested { first_game: first, games, duplicates, postings, ..Ingested::default() })
    }

    fn load_sorted(&self, postings: impl Iterator<Item = Result<Posting>>) -> Result<RunPart> {
        let shared = self.shared();
        let run = shared.new_run()?;
        let mut builder = PartBuilder::new(run, shared.options.counts_from);
        let mut group = Vec::new();
        for posting in postings {
            builder.push(posting?, &mut group)?;
            if group.len() >= GROUP {
                shared.engine.load(std::mem::take(&mut group))?;
            }
        }
        let part = builder.finish(&mut group);
        shared.engine.load(group)?;
        self.join_parts(run, vec![part])
    }

    /// Writes the last block of each part, now that it is known what comes after it; the whole.
    fn join_parts(&self, run: u32, parts: Vec<RunPart>) -> Result<RunPart> {
        let games = parts.iter().map(|part| part.games).max().unwrap_or(0);
        let (postings, counts) = parts.into_iter().map(|part| (part.postings, part.counts)).unzip();
        let engine = &*self.shared().engine;
        let postings = join::<Posting>(engine, run, postings)?;
        Ok(RunPart {
            postings: (postings, None),
            counts: (join::<Summary>(engine, run, counts)?, None),
            games,
        })
    }

    fn load_games(
        &mut self,
        manifest: &mut Manifest,
        games: &mut dyn Iterator<Item = Result<BuiltGame>>,
        notes: BuiltNotes,
        replay: &dyn Replay,
    ) -> Result<()> {
        const BATCH: usize = 1 << 14;
        let shared = self.shared();
        let mut words = Words::load(&*shared.engine, manifest.words)?;
        let mut sources = manifest.sources.to_vec();
        let numbers: Vec<u32> =
            notes.sources.iter().map(|source| enter_source(&mut sources, source)).collect();
        let renumbered = |place: &mut super::Origin| {
            place.file = *numbers.get(place.file as usize).unwrap_or(&place.file);
        };
        let mut notes = Some(notes);
        let mut games = games.peekable();
        while notes.is_some() {
            let mut items = Vec::new();
            let mut results = Counts::default();
            while items.len() < BATCH
                && let Some(built) = games.next()
            {
                let BuiltGame { mut game, hash, laws } = built?;
                let id = manifest.next_game + items.len() as u64;
                if !game.moves.fit(game.kind) {
                    return Err(Error::Replay { id, why: "its moves are not those of its kind".to_owned() });
                }
                if id > Posting::MAX_GAME {
                    return Err(Error::TooLarge { what: "the number of games", limit: Posting::MAX_GAME });
                }
                renumbered(&mut game.source);
                results.add(game.result);
                let row = row_of(&game, laws.as_deref(), &mut words, Address::default());
                items.push(Item { game: Arc::new(game), hash, positions: Positions::none(), row });
            }
            // Notes stand with the last games, so that an interrupted load claims nothing.
            let last = if games.peek().is_none() { notes.take() } else { None };
            let ends = last.is_some();
            let BuiltNotes { sources: _, mut copies, mut rejects } = last.unwrap_or_default();
            let places = copies.iter_mut().map(|copy| &mut copy.place);
            for place in places.chain(rejects.iter_mut().map(|reject| &mut reject.place)) {
                renumbered(place);
            }
            let known = manifest.sources.len();
            // Sources are all there from the first batch on, since games name them; how far they were read is
            // said with the last.
            let said = (0..).zip(&sources).filter(|(at, _)| ends || *at >= known);
            let marks = said.map(|(at, source)| SourceMark {
                number: u32::try_from(at).unwrap_or(u32::MAX),
                source: if ends {
                    source.clone()
                } else {
                    Source { offset: 0, records: 0, ..source.clone() }
                },
            });
            let marks: Vec<SourceMark> = marks.collect();
            let mut now = manifest.sources.to_vec();
            for mark in &marks {
                put_source(&mut now, mark.number, mark.source.clone());
            }
            let totals = Totals {
                next_game: manifest.next_game + items.len() as u64,
                duplicates: manifest.duplicates + copies.len() as u64,
                rejects: manifest.rejects + rejects.len() as u64,
                sources: Arc::new(now),
            };
            let numbered = Numbered {
                first: manifest.next_game,
                run: shared.new_run()?,
                items,
                copies,
                retagged: Vec::new(),
                rejects,
                marks,
                totals,
                results,
                words: (words.writes(), words.len()),
                retags: Vec::new(),
                ingested: Ingested::default(),
                threshold: shared.options.counts_from,
            };
            let mut index = self.append_after(manifest, numbered.encode(replay, false)?)?;
            self.write_index(&mut index)?;
            index.note_in(manifest);
        }
        Ok(())
    }
}

/// Puts parts together in order.
fn join<E: Entry>(engine: &dyn Engine, run: u32, parts: Vec<(Run, Option<OpenBlock>)>) -> Result<Run> {
    let mut whole = Run { id: run, level: 0, entries: 0, blocks: 0, bytes: 0, first: Box::default() };
    let mut ends = Vec::new();
    let mut firsts: BTreeMap<usize, Box<[u8]>> = BTreeMap::new();
    for (number, (part, open)) in parts.into_iter().enumerate() {
        let Some(open) = open else { continue };
        let first: Box<[u8]> = if part.blocks > 0 { part.first.clone() } else { open.key[4..].into() };
        if part.id != run || firsts.last_key_value().is_some_and(|(_, before)| *before >= first) {
            return Err(Error::inconsistent(E::TREE, "the parts of a load are not in order"));
        }
        firsts.insert(number, first);
        whole.entries += part.entries;
        whole.blocks += part.blocks;
        whole.bytes += part.bytes;
        ends.push((number, open));
    }
    if let Some((_, first)) = firsts.first_key_value() {
        whole.first.clone_from(first);
    }
    let mut writes = Vec::with_capacity(ends.len());
    for (number, open) in ends {
        let next = firsts.range(number + 1..).next().map(|(_, first)| &**first);
        writes.push(open.seal(E::TREE, next, &mut whole));
    }
    // A load that is ended for the second time finds them there.
    engine.apply(writes)?;
    Ok(whole)
}
