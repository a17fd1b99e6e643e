//! What the environment variables ask for.

use std::env;

use crate::case::Replay;

/// How many points each case is tried at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// One point, and nothing beside it: while a rule is being written.
    Brief,
    /// One point, and what is beside it: every `cargo test`.
    #[default]
    Quick,
    /// Four points: every night.
    Full,
    /// 256 points: every release.
    Soak,
}

impl Profile {
    /// The number of points of each case.
    pub const fn points(self) -> usize {
        match self {
            Profile::Brief | Profile::Quick => 1,
            Profile::Full => 4,
            Profile::Soak => 256,
        }
    }

    fn named(name: &str) -> Option<Self> {
        match name {
            "brief" => Some(Profile::Brief),
            "quick" => Some(Profile::Quick),
            "full" => Some(Profile::Full),
            "soak" => Some(Profile::Soak),
            _ => None,
        }
    }
}

/// The wishes of whoever runs the tests.
///
/// | variable | value |
/// |---|---|
/// | `TESTUTILS_SEED`, else `COENZYME_TEST_SEED`, else `PROPTEST_RNG_SEED` | a number, decimal or `0x…`; 0 if absent |
/// | `TESTUTILS_REPLAY` | the id printed by a failure: run this case only, at its seed |
/// | `TESTUTILS_PROFILE` | `brief`, `quick` (default), `full` or `soak` |
/// | `TESTUTILS_PICTURE` | `1`: draw the differences of a failing entry against the step |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Mixed into the seed of every case.
    pub seed: u64,
    /// The one case to run, if only one is wanted.
    pub replay: Option<Replay>,
    /// How many points each case is tried at.
    pub profile: Profile,
    /// Whether to draw the differences of a failing entry.
    pub picture: bool,
}

impl Environment {
    /// Reads the variables.
    ///
    /// **Panics** if one is set to something that cannot be understood: a mistyped seed that silently
    /// ran another test would be worse.
    pub fn from_env() -> Self {
        Self::from_lookup(|name| env::var(name).ok())
    }

    fn from_lookup(get: impl Fn(&str) -> Option<String>) -> Self {
        let seeds = ["TESTUTILS_SEED", "COENZYME_TEST_SEED", "PROPTEST_RNG_SEED"];
        let seed = seeds.into_iter().find_map(|name| Some((name, get(name)?)));
        let picture = get("TESTUTILS_PICTURE");
        Environment {
            picture: picture.is_some_and(|text| match text.as_str() {
                "1" => true,
                "0" | "" => false,
                _ => panic!("TESTUTILS_PICTURE is neither 0 nor 1: {text:?}"),
            }),
            seed: seed.map_or(0, |(name, text)| {
                number(&text).unwrap_or_else(|| panic!("{name} is not a number: {text:?}"))
            }),
            replay: get("TESTUTILS_REPLAY").map(|text| {
                text.parse()
                    .unwrap_or_else(|error| panic!("TESTUTILS_REPLAY: {error}"))
            }),
            profile: get("TESTUTILS_PROFILE").map_or(Profile::default(), |text| {
                Profile::named(&text).unwrap_or_else(|| {
                    panic!("TESTUTILS_PROFILE is none of brief, quick, full, soak: {text:?}")
                })
            }),
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Environment {
        Environment::from_lookup(|name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| value.to_string())
        })
    }

    #[test]
    fn nothing_set_means_quick_and_seed_zero() {
        assert_eq!(with(&[]), Environment::default());
        assert_eq!(with(&[]).profile.points(), 1);
    }

    #[test]
    fn own_seed_wins_over_its_synonyms() {
        assert_eq!(with(&[("PROPTEST_RNG_SEED", "3")]).seed, 3);
        assert_eq!(
            with(&[("TESTUTILS_SEED", "0x10"), ("COENZYME_TEST_SEED", "3")]).seed,
            16
        );
    }

    #[test]
    fn profile_is_read_by_name() {
        assert_eq!(with(&[("TESTUTILS_PROFILE", "soak")]).profile.points(), 256);
        assert_eq!(with(&[("TESTUTILS_PROFILE", "full")]).profile.points(), 4);
        let brief = with(&[("TESTUTILS_PROFILE", "brief")]).profile;
        assert_eq!((brief, brief.points()), (Profile::Brief, 1));
    }

    #[test]
    fn pictures_are_drawn_on_request() {
        assert!(with(&[("TESTUTILS_PICTURE", "1")]).picture);
        assert!(!with(&[("TESTUTILS_PICTURE", "0")]).picture);
    }

    #[test]
    #[should_panic = "TESTUTILS_PICTURE is neither 0 nor 1"]
    fn mistyped_wish_for_pictures_is_refused() {
        with(&[("TESTUTILS_PICTURE", "yes")]);
    }

    #[test]
    #[should_panic = "TESTUTILS_SEED is not a number"]
    fn mistyped_seed_is_refused() {
        with(&[("TESTUTILS_SEED", "seven")]);
    }

    #[test]
    #[should_panic = "none of brief, quick, full, soak"]
    fn mistyped_profile_is_refused() {
        with(&[("TESTUTILS_PROFILE", "fast")]);
    }
}
