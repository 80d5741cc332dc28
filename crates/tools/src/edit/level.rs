//! What is ignored to find a text.

/// How the old text was found, strictest first. Each level also ignores what those before it do, except that
/// levels 7 to 9 do not ignore what 5 and 6 do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchLevel {
    /// 1: the bytes are the same.
    Exact = 1,
    /// 2: ignoring how lines end, and a byte order mark.
    LineEnds = 2,
    /// 3: ignoring spaces and tabs at the ends of lines.
    TrailingSpace = 3,
    /// 4: all lines are indented by the same amount more or less, tabs counting as spaces.
    Indentation = 4,
    /// 5: ignoring how many blanks stand between words.
    Blanks = 5,
    /// 6: typographic quotes, dashes and no-break spaces are the plain ones.
    Typography = 6,
    /// 7: one level of escapes is undone in both strings.
    Escapes = 7,
    /// 8: the line numbers of a page are taken off both strings.
    LineNumbers = 8,
    /// 9: both strings in one Unicode form: `é` is one character, or `e` and an accent.
    UnicodeForm = 9,
}

impl MatchLevel {
    /// The levels that match whole lines only.
    pub(super) const WHOLE_LINES: [MatchLevel; 6] = [
        MatchLevel::Indentation,
        MatchLevel::Blanks,
        MatchLevel::Typography,
        MatchLevel::Escapes,
        MatchLevel::LineNumbers,
        MatchLevel::UnicodeForm,
    ];

    /// The number of the level, 1 to 9.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// What is ignored, in words.
    pub(super) fn ignoring(self) -> &'static str {
        match self {
            MatchLevel::Exact => "exactly",
            MatchLevel::LineEnds => "ignoring line ends",
            MatchLevel::TrailingSpace => "ignoring trailing whitespace",
            MatchLevel::Indentation => "ignoring indentation",
            MatchLevel::Blanks => "ignoring runs of blanks",
            MatchLevel::Typography => "ignoring typographic quotes, dashes and spaces",
            MatchLevel::Escapes => "with one level of escapes undone",
            MatchLevel::LineNumbers => "without the line numbers",
            MatchLevel::UnicodeForm => "ignoring Unicode forms",
        }
    }
}
