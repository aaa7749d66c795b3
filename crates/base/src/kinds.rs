//! Lists of kinds, each with a name for programs and words for people.

/// Declares an enum whose variants have a name for programs and words for people, so that each is written
/// once: the enum with the name of the function that gives the words, then variant, name, words. With `hint`
/// after that name, each has a third text: what to do about it.
///
/// ```
/// boardprint_base::kinds! {
///     /// What may be odd.
///     Oddity words
///     Blank "blank" "a blank too many",
///     Zero "zero" "a leading zero",
/// }
/// assert_eq!(Oddity::ALL[0].name(), "blank");
/// assert_eq!(Oddity::Zero.words(), "a leading zero");
///
/// boardprint_base::kinds! {
///     /// What may be wrong.
///     Rule words hint
///     Zero "zero" "a leading zero" "leave it out",
/// }
/// assert_eq!(Rule::Zero.hint(), "leave it out");
/// ```
#[macro_export]
macro_rules! kinds {
    ($(#[$about:meta])* $kind:ident $words:ident $($variant:ident $name:literal $text:literal),* $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $kind {
            $(#[doc = concat!($text, ".")] $variant,)*
        }

        impl $kind {
            /// Every one.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// The name for programs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name,)* }
            }

            /// The words for people.
            #[must_use]
            pub const fn $words(self) -> &'static str {
                match self { $($kind::$variant => $text,)* }
            }
        }
    };
    (
        $(#[$about:meta])* $kind:ident $words:ident hint
        $($variant:ident $name:literal $text:literal $hint:literal),* $(,)?
    ) => {
        $crate::kinds! { $(#[$about])* $kind $words $($variant $name $text),* }

        impl $kind {
            /// What to do about it.
            #[must_use]
            pub const fn hint(self) -> &'static str {
                match self { $($kind::$variant => $hint,)* }
            }
        }
    };
}
