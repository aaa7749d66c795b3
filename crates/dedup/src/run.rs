//! Reading, deciding, writing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::decide::Facts;
use super::lines::{Lines, Probe};
use super::pipeline::{self, Item};
use super::table::{Match, Table};
use super::texts::Texts;
use super::{
    By, Confidence, DedupOptions, Fingerprint, Games, Keep, Known, Pair, Pass, Place, Reject, Sink, Summary,
};
use boardprint_games::{Identity, Record, RecordError, says_something};
use boardprint_records::{Input, Reader, ReaderOptions};

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum DedupError<E> {
    /// The results could not be taken.
    #[error("{0}")]
    Sink(E),
    /// Standard input could not be copied to a temporary file.
    #[error("cannot copy standard input to a temporary file: {0}")]
    Spool(std::io::Error),
    /// Texts or moves could not be kept in a temporary file, or not be read again.
    #[error("cannot keep games in a temporary file: {0}")]
    Texts(std::io::Error),
    /// The input was not the same when it was read again.
    #[error("the input changed while it was being read")]
    Changed,
    /// There are more records than can be numbered.
    #[error("more than 4 billion records")]
    TooMany,
}

/// Finds the duplicates among the games of some inputs, and hands games and pairs to `sink` in input order.
///
/// # Errors
///
/// What `sink` refuses, and failures of the machine. Bad records are not errors: `sink` gets them.
pub fn run<S: Sink>(
    inputs: &[Input],
    reading: &ReaderOptions,
    options: &DedupOptions,
    games: &impl Games,
    sink: &mut S,
) -> Result<Summary, DedupError<S::Error>> {
    let mut run = Run {
        options,
        games,
        table: Table::new(options.by, options.min_plies),
        texts: options.paranoid.then(Texts::new).transpose().map_err(DedupError::Texts)?,
        places: Places::default(),
        summary: Summary::default(),
    };
    let open = |inputs: &[Input], pass: Pass, sink: &mut S| {
        let reader = Reader::new(inputs.iter().cloned(), reading.clone());
        sink.begin(pass, reader.progress());
        reader
    };
    if options.by != By::Prefix && !options.merge_tags && options.keep != Keep::Richest {
        run.in_one_pass(open(inputs, Pass::Only, sink), sink)?;
        return Ok(run.summary);
    }
    let inputs = Input::spooled(inputs).map_err(DedupError::Spool)?;
    let mut lines = (options.by == By::Prefix).then(Lines::new).transpose().map_err(DedupError::Texts)?;
    let mut plan = run.first_pass(open(&inputs, Pass::Compare, sink), &mut lines, sink)?;
    if let Some(lines) = lines {
        run.find_beginnings(lines, &mut plan, sink)?;
    }
    plan.settle();
    let mut tags = Tags::new();
    if options.merge_tags {
        tags = run.collect_tags(open(&inputs, Pass::Tags, sink), &plan)?;
    }
    run.write(open(&inputs, Pass::Write, sink), &plan, &tags, sink)?;
    Ok(run.summary)
}

struct Run<'a, G> {
    options: &'a DedupOptions,
    games: &'a G,
    table: Table,
    /// The texts of the games in the table, if they are to be compared.
    texts: Option<Texts>,
    places: Places,
    summary: Summary,
}

/// Where every record stands: four bytes each.
#[derive(Default)]
struct Places {
    /// The number of the first record of each source.
    sources: Vec<(u32, Arc<str>)>,
    lines: Vec<u32>,
}

/// What happens to every record.
#[derive(Default)]
struct Plan {
    /// The record that stands for each: itself, another, or `REJECTED`.
    stand: Vec<u32>,
    /// How sure that is.
    confidence: Vec<Confidence>,
    /// A check of the text of each, to see that the input is the same when it is read again.
    checks: Vec<u32>,
    richness: Vec<u16>,
    /// The richest of each group of equal games that has more than one, by its first.
    best: BTreeMap<u32, u32>,
    /// Games that may be copies and stay.
    doubts: BTreeMap<u32, Match>,
    /// Games known from elsewhere, and how sure that is.
    known: BTreeMap<u32, (Confidence, Place)>,
}

const REJECTED: u32 = u32::MAX;

type Outcome<S> = Result<(), DedupError<<S as Sink>::Error>>;
type Tags = BTreeMap<u32, Vec<(String, String)>>;
type Printed = Result<(Fingerprint, Option<Known>), RecordError>;
/// A good record, its fingerprint, and where else a game of its digest is known from.
type Accepted<'i> = (&'i Record, Fingerprint, Option<Known>);

/// What is known of a game when it is compared with those before it.
#[derive(Default)]
struct Matches {
    /// The game from elsewhere that it is, and how sure that is.
    known: Option<(Confidence, Place)>,
    /// The game before it that it is.
    found: Option<Match>,
    /// Whether it has the key of a game that it is not.
    collides: bool,
}

impl<G: Games> Run<'_, G> {
    /// Keeps the first of equal games: what stays can be written at once.
    fn in_one_pass<S: Sink>(&mut self, reader: Reader, sink: &mut S) -> Outcome<S> {
        let (games, options) = (self.games, self.options);
        let work = |_: u32, record: &Record| print(games, record, options);
        pipeline::run(reader, options.worker_threads(), work, |number, item, printed| {
            self.places.note(&item, number)?;
            let Some((record, print, known)) = self.accept(&item, printed, sink)? else { return Ok(()) };
            let Matches { known, found, collides } = self.matches(number, &print, known, sink)?;
            let found = found.map(|found| (found.confidence, self.places.place(found.game)));
            // A game known from elsewhere was there before all others.
            let sure = |pair: &(Confidence, Place)| pair.0 >= options.min_confidence;
            let best =
                known.clone().filter(sure).or(found.filter(|found| known.is_none() || sure(found))).or(known);
            if let Some((confidence, place)) = best {
                let pair = self.pair(number, place, confidence, confidence >= options.min_confidence);
                if pair.dropped {
                    return self.duplicate(record, &pair, sink);
                }
                self.doubt(&pair, sink)?;
            }
            self.remember(number, &print, collides)?;
            self.summary.kept += 1;
            sink.keep(record, &[]).map_err(DedupError::Sink)
        })
    }

    /// Groups equal games, and tells of bad records. The lines of those that stand for themselves are kept,
    /// if that is asked for.
    fn first_pass<S: Sink>(
        &mut self,
        reader: Reader,
        lines: &mut Option<Lines>,
        sink: &mut S,
    ) -> Result<Plan, DedupError<S::Error>> {
        let (games, options) = (self.games, self.options);
        let mut plan = Plan::default();
        let mut keep_line = |number: u32, print: &Fingerprint| {
            let kept = lines.as_mut().map_or(Ok(()), |lines| lines.add(number, print));
            kept.map_err(DedupError::Texts)
        };
        let work = |_: u32, record: &Record| print(games, record, options);
        pipeline::run(reader, options.worker_threads(), work, |number, item, printed| {
            self.places.note(&item, number)?;
            plan.checks.push(check(&item));
            let Some((_, print, known)) = self.accept(&item, printed, sink)? else {
                plan.push(REJECTED, Confidence::Certain, 0);
                return Ok(());
            };
            let Matches { known, found, collides } = self.matches(number, &print, known, sink)?;
            if let Some((confidence, place)) = known {
                plan.known.insert(number, (confidence, place));
                if confidence >= options.min_confidence {
                    plan.push(number, confidence, print.richness);
                    return keep_line(number, &print);
                }
            }
            match found {
                Some(found) if found.confidence >= options.min_confidence => {
                    plan.push(found.game, found.confidence, print.richness);
                    if options.keep == Keep::Richest {
                        plan.prefer_richer(found.game, number);
                    }
                }
                _ => {
                    if let Some(found) = found {
                        plan.doubts.insert(number, found);
                    }
                    plan.push(number, Confidence::Certain, print.richness);
                    self.remember(number, &print, collides)?;
                    keep_line(number, &print)?;
                }
            }
            Ok(())
        })?;
        Ok(plan)
    }

    /// Finds the games that are beginnings of others: every game probes the table at every ply.
    fn find_beginnings<S: Sink>(&mut self, lines: Lines, plan: &mut Plan, sink: &mut S) -> Outcome<S> {
        let Run { options, table, texts, places, summary, .. } = self;
        let sieve = table.sieve();
        let work = |_: u32, probe: &Probe| {
            let found = table.find_beginnings(&probe.game, &sieve);
            let games = found.iter().map(|beginning| beginning.game);
            let begin = texts.as_ref().map(|texts| texts.begin(games, &probe.game.text));
            (found, begin)
        };
        // The best continuation: the surest, then the longest, then the first.
        let mut continued: BTreeMap<u32, (Confidence, u32, u32)> = BTreeMap::new();
        let probes = lines.read().map_err(DedupError::Texts)?;
        pipeline::run(probes, options.worker_threads(), work, |_, probe, found| {
            let Probe { number, game: Fingerprint { plies, .. } } = probe.map_err(DedupError::Texts)?;
            let Some((found, begin)) = found else { return Ok(()) };
            for (index, beginning) in found.into_iter().enumerate() {
                if begin.as_ref().is_some_and(|begin| !begin[index]) {
                    summary.collisions += 1;
                    let (game, other) = (places.place(beginning.game), places.place(number));
                    sink.collide(&game, &other).map_err(DedupError::Sink)?;
                    continue;
                }
                let better = (beginning.confidence, plies, number);
                let best = continued.entry(beginning.game).or_insert(better);
                if (better.0, better.1) > (best.0, best.1) {
                    *best = better;
                }
            }
            Ok(())
        })?;
        for (game, (confidence, _, by)) in continued {
            if confidence >= self.options.min_confidence {
                plan.stand[game as usize] = by;
                plan.confidence[game as usize] = confidence;
                plan.doubts.remove(&game);
            } else {
                plan.doubts.entry(game).or_insert(Match { confidence, game: by });
            }
        }
        Ok(())
    }

    /// The tags of copies, by the game that stands for them.
    fn collect_tags<E>(&self, reader: Reader, plan: &Plan) -> Result<Tags, DedupError<E>> {
        let mut tags = Tags::new();
        let mut same = plan.same_input();
        for (number, item) in (0_u32..).zip(reader) {
            same.record(&item)?;
            let (Ok(record), Some(&stand)) = (item, plan.stand.get(number as usize)) else { continue };
            if stand == number || stand == REJECTED {
                continue;
            }
            let kept = tags.entry(stand).or_default();
            for (name, value) in self.games.tags(&record) {
                if says_something(&value) && kept.iter().all(|(known, _)| *known != name) {
                    kept.push((name, value));
                }
            }
        }
        same.end()?;
        Ok(tags)
    }

    /// Hands everything on.
    fn write<S: Sink>(&mut self, reader: Reader, plan: &Plan, tags: &Tags, sink: &mut S) -> Outcome<S> {
        let mut same = plan.same_input();
        for (number, item) in (0_u32..).zip(reader) {
            same.record(&item)?;
            let index = number as usize;
            let stand = plan.stand[index];
            let Ok(record) = item else { continue };
            if stand == REJECTED {
                continue;
            }
            let confidence = plan.confidence[index];
            let sure = |known: &&(Confidence, Place)| known.0 >= self.options.min_confidence;
            let known = plan.known.get(&stand).filter(sure);
            if stand != number || known.is_some() {
                let place = known.map_or_else(|| self.places.place(stand), |(_, place)| place.clone());
                let pair = self.pair(number, place, confidence, true);
                self.duplicate(&record, &pair, sink)?;
                continue;
            }
            let doubt =
                plan.doubts.get(&number).map(|doubt| (doubt.confidence, self.places.place(doubt.game)));
            if let Some((confidence, place)) = plan.known.get(&number).cloned().or(doubt) {
                let pair = self.pair(number, place, confidence, false);
                self.doubt(&pair, sink)?;
            }
            self.summary.kept += 1;
            let extra = match tags.get(&number) {
                None => Vec::new(),
                Some(extra) => {
                    let own = self.games.tags(&record);
                    let has =
                        |name: &str| own.iter().any(|(own, value)| own == name && says_something(value));
                    extra.iter().filter(|(name, _)| !has(name)).cloned().collect()
                }
            };
            sink.keep(&record, &extra).map_err(DedupError::Sink)?;
        }
        same.end()
    }

    /// The record and its fingerprint, if both are good; else `sink` is told.
    fn accept<'i, S: Sink>(
        &mut self,
        item: &'i Item,
        printed: Option<Printed>,
        sink: &mut S,
    ) -> Result<Option<Accepted<'i>>, DedupError<S::Error>> {
        self.summary.records += 1;
        let reject = match (item, printed) {
            (Ok(record), Some(Ok((print, known)))) => return Ok(Some((record, print, known))),
            (Ok(record), Some(Err(error))) => sink.reject(Reject::Game(record, &error)),
            (Err(error), _) => sink.reject(Reject::Read(error)),
            (Ok(_), None) => Ok(()),
        };
        self.summary.rejected += 1;
        reject.map_err(DedupError::Sink)?;
        Ok(None)
    }

    /// The games that a game is: by key, and if asked for, by text.
    fn matches<S: Sink>(
        &mut self,
        number: u32,
        print: &Fingerprint,
        known: Option<Known>,
        sink: &mut S,
    ) -> Result<Matches, DedupError<S::Error>> {
        let mut matches = Matches::default();
        let mut others = Vec::new();
        match known {
            Some(known) if self.options.paranoid && known.text != print.text.text => others.push(known.place),
            Some(known) => matches.known = self.compare_known(print, known),
            None => {}
        }
        matches.found = self.table.find(print);
        if let (Some(found), Some(texts)) = (matches.found, &mut self.texts)
            && !texts.same(found.game, &print.text).map_err(DedupError::Texts)?
        {
            (matches.found, matches.collides) = (None, true);
            others.push(self.places.place(found.game));
        }
        for other in others {
            self.summary.collisions += 1;
            sink.collide(&self.places.place(number), &other).map_err(DedupError::Sink)?;
        }
        Ok(matches)
    }

    /// Lets a game stand for later ones. One with the key of another cannot: the key is taken, so that later
    /// copies of it stay.
    fn remember<E>(&mut self, number: u32, print: &Fingerprint, collides: bool) -> Result<(), DedupError<E>> {
        if collides {
            return Ok(());
        }
        self.table.insert(print, number);
        let added = self.texts.as_mut().map_or(Ok(()), |texts| texts.add(number, &print.text));
        added.map_err(DedupError::Texts)
    }

    /// How sure it is that a game is one known from elsewhere, if it can be.
    fn compare_known(&self, print: &Fingerprint, known: Known) -> Option<(Confidence, Place)> {
        let stored = Facts { plies: print.plies, players: known.players, date: known.date, richness: 0 };
        let confidence = self.options.confidence(&stored, &print.into())?;
        Some((confidence, known.place))
    }

    fn pair(&self, number: u32, kept: Place, confidence: Confidence, dropped: bool) -> Pair {
        let by = self.options.by;
        Pair { game: self.places.place(number), kept, dropped, by, confidence, reason: by.reason(confidence) }
    }

    fn duplicate<S: Sink>(&mut self, record: &Record, pair: &Pair, sink: &mut S) -> Outcome<S> {
        match pair.confidence {
            Confidence::Certain => self.summary.certain += 1,
            Confidence::Likely => self.summary.likely += 1,
            Confidence::Doubtful => self.summary.doubtful += 1,
        }
        sink.duplicate(record, pair).map_err(DedupError::Sink)
    }

    fn doubt<S: Sink>(&mut self, pair: &Pair, sink: &mut S) -> Outcome<S> {
        self.summary.doubts += 1;
        sink.doubt(pair).map_err(DedupError::Sink)
    }
}

/// Compares the input of a later pass with that of the first, record by record.
struct SameInput<'a>(std::slice::Iter<'a, u32>);

impl SameInput<'_> {
    fn record<E>(&mut self, item: &Item) -> Result<(), DedupError<E>> {
        if self.0.next() == Some(&check(item)) { Ok(()) } else { Err(DedupError::Changed) }
    }

    fn end<E>(mut self) -> Result<(), DedupError<E>> {
        if self.0.next().is_none() { Ok(()) } else { Err(DedupError::Changed) }
    }
}

/// A number that tells a record from what may stand in its place later.
fn check(item: &Item) -> u32 {
    item.as_ref().map_or(0, |record| crc32fast::hash(record.text.as_bytes()))
}

impl Plan {
    fn same_input(&self) -> SameInput<'_> {
        SameInput(self.checks.iter())
    }

    fn push(&mut self, stand: u32, confidence: Confidence, richness: u16) {
        self.stand.push(stand);
        self.confidence.push(confidence);
        self.richness.push(richness);
    }

    fn prefer_richer(&mut self, first: u32, number: u32) {
        let best = self.best.entry(first).or_insert(first);
        if self.richness[number as usize] > self.richness[*best as usize] {
            *best = number;
        }
    }

    /// Lets every record point at the one that is written in the end.
    fn settle(&mut self) {
        // A continuation comes from a longer game, so following ends soon. It may not, if somebody made games
        // with the same keys: then the game stands for itself.
        const MAX_STEPS: usize = 64;
        for index in 0..self.stand.len() {
            let (mut stand, mut confidence) = (self.stand[index], self.confidence[index]);
            let mut steps = 0;
            while stand != REJECTED {
                steps += 1;
                if steps > MAX_STEPS {
                    stand = u32::try_from(index).unwrap_or(REJECTED);
                    confidence = Confidence::Certain;
                    break;
                }
                // A chain is as sure as its weakest link.
                confidence = confidence.min(self.confidence[stand as usize]);
                if self.stand[stand as usize] == stand {
                    break;
                }
                stand = self.stand[stand as usize];
            }
            self.stand[index] = stand;
            self.confidence[index] = confidence;
        }
        for stand in self.stand.iter_mut().filter(|stand| **stand != REJECTED) {
            *stand = self.best.get(stand).copied().unwrap_or(*stand);
        }
        // A first game that gives way is as sure a copy as the one that stands for it.
        for (first, best) in &self.best {
            let confidence = self.confidence[*best as usize];
            self.confidence[*first as usize] = confidence.min(self.confidence[*first as usize]);
        }
        for doubt in self.doubts.values_mut() {
            doubt.game = self.stand[doubt.game as usize];
        }
    }
}

impl Places {
    fn note<E>(&mut self, item: &Item, number: u32) -> Result<(), DedupError<E>> {
        if number == REJECTED {
            return Err(DedupError::TooMany);
        }
        let (source, line) = match item {
            Ok(record) => (&record.source, Some(record.line)),
            Err(error) => (error.source_name(), error.line()),
        };
        if self.sources.last().is_none_or(|(_, last)| !Arc::ptr_eq(last, source) && last != source) {
            self.sources.push((number, source.clone()));
        }
        self.lines.push(line.and_then(|line| u32::try_from(line).ok()).unwrap_or(0));
        Ok(())
    }

    fn place(&self, number: u32) -> Place {
        let source = self.sources.partition_point(|(first, _)| *first <= number).saturating_sub(1);
        let (first, file) = &self.sources[source];
        let line = self.lines[number as usize];
        Place {
            path: file.clone(),
            record: Some(u64::from(number - first) + 1),
            line: (line > 0).then_some(u64::from(line)),
        }
    }
}

impl DedupOptions {
    fn worker_threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// What a record is, and the game from elsewhere that it may be. The text stays only if it is to be compared.
fn print(games: &impl Games, record: &Record, options: &DedupOptions) -> Printed {
    let mut print = games.fingerprint(record, options.by)?;
    let known = games.known(&print);
    if !options.paranoid {
        print.text = Identity::default();
    }
    Ok((print, known))
}
