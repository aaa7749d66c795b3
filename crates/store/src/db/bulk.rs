//! Bulk loads: postings go through an external sort into one run.
//!
//! A batch of a bulk load is acknowledged like any other, with its postings in sorted files that the manifest
//! names. At the end the files are merged into one run. Readers of this process see the games of a bulk load
//! when it has ended; a load that was interrupted is ended when the database is opened.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use super::Shared;
use super::build::IndexBatch;
use super::engine::Tree;
use super::error::{Error, Result};
use super::head::sync_folder;
use super::manifest::{Manifest, Spill};
use super::posting::Posting;
use super::run::Merge;
use super::spill::{SpillReader, write_slice, write_stream};
use super::writer::Committer;

/// This many sorted files are merged into one, so that few are open at a time.
const MAX_SPILLS: usize = 128;

impl Committer<'_> {
    /// Indexes a batch of a bulk load, which is in the log, and acknowledges it.
    pub(crate) fn index_bulk(&mut self, mut batch: IndexBatch) -> Result<()> {
        let shared = self.shared();
        let Some(folder) = shared.spill_folder() else {
            // A database in memory has no place for files, and no need of them.
            let packed = batch.packed(shared.new_run()?, shared.options.counts_from)?;
            self.index(packed, Vec::new(), false)?;
            return self.merge(false);
        };
        let mut spills = Vec::new();
        if !batch.postings.is_empty() {
            if !folder.exists() {
                fs::create_dir(&folder).map_err(Error::io("create", &folder))?;
            }
            let spill = Spill { number: shared.new_run()?, entries: batch.postings.len() as u64 };
            write_slice(&folder.join(spill.name()), &batch.postings)?;
            sync_folder(&folder).map_err(Error::io("sync", &folder))?;
            batch.postings = Vec::new();
            spills.push(spill);
        }
        self.index(batch, spills, true)?;
        self.merge_spills()?;
        self.merge(true)
    }

    /// Turns the sorted files that the manifest names into a run, if there are any.
    pub(crate) fn finish_bulk(&mut self) -> Result<()> {
        let shared = self.shared();
        let mut manifest = (*shared.writer_manifest()).clone();
        if !manifest.spills.is_empty() {
            // As high as if its parts had been merged one by one, so that sizes within a level are alike.
            let level = manifest.spills.len().ilog(shared.options.fan_in).min(200) as u8;
            let merged = Merge::new(shared.spill_readers(&manifest.spills)?);
            let (postings, counts, notes) = shared.write_postings(&manifest, level, merged)?;
            manifest.note_counts(postings.id, &notes);
            manifest.runs.push(Tree::Postings, postings);
            manifest.runs.push(Tree::Counts, counts);
            shared.engine.sync()?;
            manifest.spills.clear();
        }
        self.publish(manifest, false)?;
        shared.remove_spills()?;
        self.merge(false)
    }

    /// Merges sorted files when there are many.
    fn merge_spills(&mut self) -> Result<()> {
        let shared = self.shared();
        let old = shared.writer_manifest().spills.clone();
        let Some(folder) = shared.spill_folder().filter(|_| old.len() >= MAX_SPILLS) else { return Ok(()) };
        let mut merged = Spill { number: shared.new_run()?, entries: 0 };
        merged.entries = write_stream(&folder.join(merged.name()), Merge::new(shared.spill_readers(&old)?))?;
        sync_folder(&folder).map_err(Error::io("sync", &folder))?;
        let mut manifest: Manifest = (*shared.writer_manifest()).clone();
        manifest.spills = vec![merged];
        self.publish(manifest, true)?;
        for spill in old {
            let path = folder.join(spill.name());
            fs::remove_file(&path).map_err(Error::io("remove", path))?;
        }
        Ok(())
    }
}

impl Shared {
    /// The folder for the sorted files of a bulk load.
    pub(crate) fn spill_folder(&self) -> Option<PathBuf> {
        self.home.as_ref()?.spills(self.index_number)
    }

    /// Removes the folder of sorted files. Nothing in it is named any more.
    pub(crate) fn remove_spills(&self) -> Result<()> {
        match self.spill_folder() {
            Some(folder) if folder.exists() => {
                fs::remove_dir_all(&folder).map_err(Error::io("remove", folder))
            }
            _ => Ok(()),
        }
    }

    fn spill_readers(&self, spills: &[Spill]) -> Result<Vec<SpillReader<Posting>>> {
        let Some(folder) = self.spill_folder() else { return Ok(Vec::new()) };
        let open = |spill: &Spill| SpillReader::open(&folder.join(spill.name()), spill.entries);
        spills.iter().map(open).collect()
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
