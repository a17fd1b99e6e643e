//! What was found in files, for the attributes after: a question is asked once of each file, and again once the file has changed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

/// Answers to one question, by files or folders, with the time at which it was asked.
///
/// What is kept holds no tokens of the compiler: those do not outlive the attribute that made them.
pub(crate) struct Answers<T>(RefCell<HashMap<PathBuf, (SystemTime, Rc<T>)>>);

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T> Answers<T> {
    /// What is known of a file, or what `find` finds.
    pub(crate) fn of(&self, file: &Path, find: impl FnOnce() -> T) -> Rc<T> {
        self.since(file, file, find)
    }

    /// The same of a crate, or what else stands in several files: by its folder, and asked again once `file` has changed.
    pub(crate) fn since(&self, folder: &Path, file: &Path, find: impl FnOnce() -> T) -> Rc<T> {
        let changed = file.metadata().and_then(|data| data.modified()).ok();
        if let Some((asked, answer)) = self.0.borrow().get(folder)
            && changed.is_none_or(|changed| changed <= *asked)
        {
            return Rc::clone(answer);
        }
        let now = SystemTime::now();
        let answer = Rc::new(find());
        let kept = (now, Rc::clone(&answer));
        self.0.borrow_mut().insert(folder.to_owned(), kept);
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::Answers;

    #[test]
    fn a_file_is_asked_again_once_it_has_changed() {
        let path = std::env::temp_dir().join(format!("answers-{}.rs", std::process::id()));
        std::fs::write(&path, "fn f() {}").unwrap();
        let old = SystemTime::now() - Duration::from_secs(60);
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(old).unwrap();
        let answers = Answers::default();
        let mut asked = 0;
        let mut ask = || {
            *answers.of(&path, || {
                asked += 1;
                asked
            })
        };
        assert_eq!([ask(), ask()], [1, 1]);
        file.set_modified(SystemTime::now() + Duration::from_secs(60))
            .unwrap();
        assert_eq!(ask(), 2);
        std::fs::remove_file(&path).unwrap();
    }
}
