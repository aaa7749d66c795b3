//! Writing an index again, without the space that deleted blocks left.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Db;
use super::counts::Summariser;
use super::engine::{Access, Engine, MemoryEngine, Scan, Tree, Write};
use super::error::{Error, Result};
use super::game_index::IndexEntry;
use super::manifest::{Manifest, Runs};
use super::posting::Posting;
use super::ratings::{Rater, RatingTable};
use super::run::write_run;
use super::snapshot::Snapshot;

impl Db {
    /// Writes the index again beside itself, every tree as one run, and puts it in the place of the old one.
    ///
    /// If this is interrupted, the old index is still there, or the new one already; what is left of the
    /// other goes away when the database is next opened for writing.
    ///
    /// # Errors
    ///
    /// If snapshots are open, a block is damaged, or the disk fails. The old index is then as it was.
    pub fn compact(self) -> Result<Db> {
        if self.shared.access == Access::Read {
            return Err(Error::ReadOnly);
        }
        if Arc::strong_count(&self.shared.engine) > 1 {
            return Err(Error::SnapshotsOpen);
        }
        let snapshot = self.snapshot();
        let options = self.shared.options.clone();
        let Some(home) = &self.shared.home else {
            let engine: Arc<dyn Engine> = Arc::new(MemoryEngine::new());
            let manifest = self.shared.copy_index(&snapshot, &engine)?;
            let log = Arc::clone(&self.shared.log);
            let parts =
                super::Parts { engine, log, home: None, index_number: 0, acknowledges: false, manifest };
            return Ok(Db::start(parts, options));
        };
        let kind = home
            .engine_of(self.shared.index_number)
            .map_err(|why| Error::BadIndex { path: home.index(self.shared.index_number), why })?;
        let number = home.free_index()?;
        // Two engines are open, and a copy looks at everything once.
        let new = home.create_index(number, snapshot.manifest(), kind, options.cache() / 8)?;
        let manifest = self.shared.copy_index(&snapshot, &new)?;
        drop((snapshot, new));
        let mut head = self.shared.head_of(&manifest);
        head.index = number;
        home.write_head(&head)?;
        let home = self.into_home()?;
        // What cannot be removed now is removed when the database is next opened for writing.
        let _ = home.remove_superseded(&head);
        Db::open_existing(home, &head, options)
    }

    fn into_home(self) -> Result<super::Home> {
        let super::Shared { engine, home, .. } = self.shared;
        drop(engine);
        home.ok_or(Error::Failed)
    }
}

impl super::Shared {
    /// Copies everything that a snapshot sees into an empty engine; the manifest of the copy.
    fn copy_index(&self, from: &Snapshot, to: &Arc<dyn Engine>) -> Result<Manifest> {
        let old = from.manifest();
        let level = |tree| old.runs.of(tree).iter().map(|run| run.level).max().unwrap_or(0);
        let mut runs = Runs::default();
        let (postings, counts, notes) = super::writer::write_postings(
            &**to,
            0,
            level(Tree::Postings),
            from.merged::<Posting>().inspect(|_| self.options.count_progress()),
            Summariser::new(
                self.options.counts_from,
                Rater::Index(RatingTable::new(from.engine(), old.next_game)),
            ),
            &BTreeMap::new(),
        )?;
        runs.push(Tree::Postings, postings);
        runs.push(Tree::Counts, counts);
        runs.push(Tree::GameIndex, write_run(&**to, 0, level(Tree::GameIndex), from.merged::<IndexEntry>())?);
        for tree in [Tree::Columns, Tree::Words, Tree::Tags] {
            copy_tree(from.engine(), &**to, tree)?;
        }
        to.sync()?;
        let mut manifest = Manifest { generation: old.generation + 1, next_run: 1, runs, ..old.clone() };
        manifest.rated_before.clear();
        manifest.unrated.clear();
        manifest.distinct = BTreeMap::from([(0, notes.distinct)]);
        to.apply(vec![manifest.write()])?;
        to.sync()?;
        Ok(manifest)
    }
}

fn copy_tree(from: &Arc<dyn Engine>, to: &dyn Engine, tree: Tree) -> Result<()> {
    const GROUP: usize = 512;
    let mut group = Vec::with_capacity(GROUP);
    for pair in Scan::new(Arc::clone(from), tree, Vec::new(), vec![0xff; 16]) {
        let (key, value) = pair?;
        group.push(Write::Put { tree, key, value });
        if group.len() == GROUP {
            to.load(std::mem::take(&mut group))?;
        }
    }
    to.load(group)
}
