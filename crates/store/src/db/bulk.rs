//! Bulk loads: postings go through an external sort into one run.
//!
//! A batch of a bulk load is acknowledged like any other, with its postings in sorted files that the manifest names. At the
//! end the files are merged into one run. Readers of this process see the games of a bulk load when it has ended; a load
//! that was interrupted is ended when the database is opened.

use std::fs;
use std::sync::{Arc, PoisonError};

use super::engine::Tree;
use super::error::{Error, Result};
use super::home::sync_folder;
use super::hot::Summary;
use super::manifest::{Manifest, Spill};
use super::numberer::Numberer;
use super::posting::Posting;
use super::run::{Entry, Merge, Run, write_run};
use super::spill::{SpillReader, write_slice, write_stream};
use super::writer::{Committer, Encoded, Ingested, Numbered};
use super::{Db, Shared};

/// A bulk load under way.
///
/// Dropped without [`Bulk::finish`], the load is ended by the next writer, or when the database is opened again.
pub struct Bulk<'a> {
    committer: Committer<'a>,
}

/// So many sorted files of one kind are merged into one, so that few are open at a time.
const MAX_SPILLS: usize = 128;

impl Db {
    /// Begins a bulk load: faster than batches one by one, and the result is in one run.
    ///
    /// # Errors
    ///
    /// As [`Db::writer`].
    pub fn bulk(&self) -> Result<(Numberer<'_>, Bulk<'_>)> {
        let (numberer, committer) = self.writer()?;
        if let Some(home) = &self.shared.home {
            let spill = home.spill();
            fs::create_dir_all(&spill).map_err(Error::io("create", &spill))?;
            sync_folder(home.path()).map_err(Error::io("sync", home.path()))?;
        }
        Ok((numberer, Bulk { committer }))
    }
}

impl Numbered {
    /// Sorts and packs the batch for a bulk load.
    ///
    /// # Errors
    ///
    /// If a game is beyond what the format can hold.
    pub fn encode_bulk(self) -> Result<Encoded> {
        self.encode_games()
    }
}

impl Bulk<'_> {
    /// Writes a batch made by [`Numbered::encode_bulk`] and acknowledges it.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails. Nothing can be written then until the database is opened again.
    pub fn commit(&mut self, encoded: Encoded) -> Result<Ingested> {
        self.committer.guarded(|committer| {
            let ingested = encoded.ingested();
            let shared = committer.shared();
            let Some(home) = &shared.home else {
                // A database in memory has no place for files, and no need of them.
                committer.write_batch(encoded.packed(shared.new_run()?))?;
                return committer.merge(false).map(|()| ingested);
            };
            let number = shared.new_run()?;
            let mut spills = Vec::new();
            for (tree, entries) in [(Tree::Postings, encoded.postings.len()), (Tree::Hot, encoded.hot.len())]
            {
                if entries > 0 {
                    spills.push(Spill { tree, number, entries: entries as u64 });
                }
            }
            for spill in &spills {
                let path = home.spill().join(spill.name());
                match spill.tree {
                    Tree::Postings => write_slice(&path, &encoded.postings)?,
                    _ => write_slice(&path, &encoded.hot)?,
                }
            }
            sync_folder(&home.spill()).map_err(Error::io("sync", home.spill()))?;
            committer.write_batch_with(encoded, spills, true)?;
            shared.merge_spills(committer)?;
            committer.merge(true)?;
            Ok(ingested)
        })
    }

    /// Merges everything into one run and shows it to readers.
    ///
    /// # Errors
    ///
    /// If the disk or the engine fails.
    pub fn finish(mut self) -> Result<()> {
        self.committer.guarded(Committer::finish_bulk)
    }
}

impl Committer<'_> {
    /// Turns the sorted files that the manifest names into runs, if there are any.
    pub(crate) fn finish_bulk(&mut self) -> Result<()> {
        let shared = self.shared();
        let mut manifest = (*shared.writer_manifest()).clone();
        if !manifest.spills.is_empty() {
            if let Some(run) = shared.run_of_spills::<Posting>(&manifest)? {
                manifest.runs.push(Tree::Postings, run);
            }
            if let Some(run) = shared.run_of_spills::<Summary>(&manifest)? {
                manifest.runs.push(Tree::Hot, run);
            }
            shared.engine.sync()?;
            manifest.spills.clear();
        }
        self.publish(manifest, false)?;
        if let Some(home) = &shared.home
            && home.spill().exists()
        {
            fs::remove_dir_all(home.spill()).map_err(Error::io("remove", home.spill()))?;
        }
        self.merge(false)
    }
}

impl Shared {
    fn spill_readers<E: Entry>(&self, spills: &[Spill]) -> Result<Vec<SpillReader<E>>> {
        let Some(home) = &self.home else { return Ok(Vec::new()) };
        spills
            .iter()
            .map(|spill| SpillReader::open(&home.spill().join(spill.name()), spill.entries))
            .collect()
    }

    fn run_of_spills<E: Entry>(&self, manifest: &Manifest) -> Result<Option<Run>> {
        let spills = manifest.spills_of(E::TREE);
        if spills.is_empty() {
            return Ok(None);
        }
        // As high as if its parts had been merged one by one, so that sizes within a level are alike.
        let level = spills.len().ilog(self.options.fan_in).min(200) as u8;
        let merged = Merge::new(self.spill_readers::<E>(&spills)?);
        write_run(&*self.engine, self.new_run()?, level, merged).map(Some)
    }

    /// Merges sorted files when there are many.
    fn merge_spills(&self, committer: &mut Committer<'_>) -> Result<()> {
        let manifest = self.writer_manifest();
        for tree in [Tree::Postings, Tree::Hot] {
            let old = manifest.spills_of(tree);
            if old.len() < MAX_SPILLS {
                continue;
            }
            let Some(home) = &self.home else { return Ok(()) };
            let number = self.new_run()?;
            let mut merged = Spill { tree, number, entries: 0 };
            let path = home.spill().join(merged.name());
            merged.entries = match tree {
                Tree::Postings => write_stream(&path, Merge::new(self.spill_readers::<Posting>(&old)?))?,
                _ => write_stream(&path, Merge::new(self.spill_readers::<Summary>(&old)?))?,
            };
            sync_folder(&home.spill()).map_err(Error::io("sync", home.spill()))?;
            let mut manifest = (*self.writer_manifest()).clone();
            manifest.spills.retain(|spill| spill.tree != tree);
            manifest.spills.push(merged);
            committer.publish(manifest, true)?;
            for spill in old {
                let path = home.spill().join(spill.name());
                fs::remove_file(&path).map_err(Error::io("remove", path))?;
            }
        }
        Ok(())
    }

    /// Whether a bulk load has begun and not ended.
    pub(crate) fn is_loading(&self) -> bool {
        self.loading.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The manifest that the next batch continues: that of a bulk load under way, or the one that readers see.
    pub(crate) fn writer_manifest(&self) -> Arc<Manifest> {
        let loading = self.loading.read().unwrap_or_else(PoisonError::into_inner).clone();
        loading.unwrap_or_else(|| self.manifest())
    }
}
