//! Stands in for the crate with which wasm-pack downloads programs: it finds those that are installed, and refuses to
//! download others.

use std::env::consts::EXE_EXTENSION;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Where downloaded programs would be.
pub struct Cache {
    folder: PathBuf,
}

/// A folder with programs.
pub struct Download {
    folder: PathBuf,
}

impl Cache {
    /// The folder of a program's downloads.
    pub fn new(name: &str) -> Result<Self> {
        Ok(Self { folder: std::env::temp_dir().join(name) })
    }

    /// This folder.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// A path in the folder.
    pub fn join(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    /// Nothing has been downloaded, and nothing will be.
    pub fn download(
        &self,
        install_permitted: bool,
        name: &str,
        _binaries: &[&str],
        url: &str,
    ) -> Result<Option<Download>> {
        if install_permitted {
            bail!(
                "{name} is not installed, and {url} is not downloaded: nothing comes from outside the registries"
            );
        }
        Ok(None)
    }
}

impl Download {
    /// The programs in this folder.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    /// The path of a program; an error if it is not there.
    pub fn binary(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name).with_extension(EXE_EXTENSION);
        if !path.is_file() {
            bail!("{} does not exist", path.display());
        }
        Ok(path)
    }

    /// The folder.
    pub fn path(&self) -> PathBuf {
        self.folder.clone()
    }
}
