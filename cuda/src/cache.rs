//! Compiled kernels on disk.
//!
//! An entry is a file whose name has the hash of the text, of the names and of the target, and whose beginning is the text itself: a
//! collision of hashes compiles again. Files are written under another name first, so that no process reads half of one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

use crate::source::Source;

/// A folder of compiled kernels. Whatever goes wrong with it only costs time.
#[derive(Clone, Debug)]
pub(crate) struct Cache(Option<PathBuf>);

impl Cache {
    /// In the user's cache folder, or where `COENZYME_KERNEL_CACHE` says; nowhere if that is empty.
    pub(crate) fn of_user() -> Self {
        let asked = env::var_os("COENZYME_KERNEL_CACHE").map(PathBuf::from);
        let own = || {
            let base = env::var_os("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or_else(|| env::home_dir().map(|home| home.join(".cache")))?;
            base.is_absolute().then(|| base.join("coenzyme-kernels"))
        };
        Self(asked.or_else(own).filter(|p| !p.as_os_str().is_empty()))
    }

    /// In this folder.
    pub(crate) fn at(folder: &Path) -> Self {
        Self(Some(folder.to_owned()))
    }

    /// Reads what was compiled from this source for this target.
    pub(crate) fn read(&self, source: &Source, target: &str) -> Option<Vec<u8>> {
        let bytes = fs::read(self.path(source, target)?).ok()?;
        let head = header(source, target);
        bytes.strip_prefix(head.as_bytes()).map(<[u8]>::to_vec)
    }

    /// Writes what was compiled.
    pub(crate) fn write(&self, source: &Source, target: &str, image: &[u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Some(path) = self.path(source, target) else {
            return;
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let partial = path.with_extension(format!("{}-{number}", process::id()));
        let bytes = [header(source, target).as_bytes(), image].concat();
        let written = folder(path.parent())
            .and_then(|()| fs::write(&partial, bytes))
            .and_then(|()| fs::rename(&partial, &path));
        if written.is_err() {
            // a cache that cannot be written is no error
            let _ = fs::remove_file(partial);
        }
    }

    fn path(&self, source: &Source, target: &str) -> Option<PathBuf> {
        let of_name = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let name: String = source.name.chars().map(of_name).take(60).collect();
        let file = format!("{name}-{:016x}.kernel", source.key(target));
        Some(self.0.as_ref()?.join(file))
    }
}

/// Creates the folder, for its owner alone: what is in it is run.
fn folder(path: Option<&Path>) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    path.map_or(Ok(()), |path| builder.create(path))
}

/// What an entry begins with.
fn header(source: &Source, target: &str) -> String {
    let Source {
        text, kernels, ptx, ..
    } = source;
    let whole = format!("{target}\n{kernels:?}\n{ptx:?}\n{text}");
    format!("coenzyme {}\n{whole}\n", whole.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_by_text_names_and_target_and_by_nothing_else() {
        let folder = env::temp_dir().join(format!("coenzyme-cache-{}", process::id()));
        let cache = Cache::at(&folder);
        let source = Source::new("f", "text", &["f"]);
        assert_eq!(cache.read(&source, "a"), None);
        cache.write(&source, "a", b"image");
        assert_eq!(cache.read(&source, "a").as_deref(), Some(&b"image"[..]));
        assert_eq!(cache.read(&source, "b"), None);
        let other = Source::new("f", "text ", &["f"]);
        assert_eq!(cache.read(&other, "a"), None);

        // another text under the same name is not taken for this one
        let path = cache.path(&source, "a").unwrap();
        fs::write(&path, b"coenzyme 1\nx\nimage").unwrap();
        assert_eq!(cache.read(&source, "a"), None);
        fs::remove_dir_all(folder).unwrap();
    }
}
