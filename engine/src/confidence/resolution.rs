//! Ways in which words match an element of the catalog, with their scores.

/// How words match an element of the catalog.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Method {
    /// An expansion or abbreviation of the name: "quantity" for `qty`.
    Abbreviation,
    /// The name is a prefix of the word: "latitude" for `lat`.
    Beginning,
    /// The user chose this element in a correction.
    Corrected,
    /// The name, ignoring case.
    Exact,
    /// A name within a small edit distance.
    Fuzzy,
    /// The last words of the name: "country" for `billing_country`.
    Head,
    /// No word names the element, but it is the only candidate left in the tables of the question.
    Implied,
    /// A correction of an earlier question taught it.
    Learned,
    /// A broader or narrower word of the thesaurus, "vehicle" for `car`, or a synonym of the last words of the name.
    Kin,
    /// Other words of the name: "shipped" for `shipped_date`.
    Modifier,
    /// A synonym of the thesaurus: "salary" for `wage`.
    Related,
    /// A word for the kind of the column: "length" for a duration.
    Role,
    /// Another inflection of the name.
    Stem,
    /// A synonym of the catalog.
    Synonym,
    /// A stored value, ignoring case.
    ValueExact,
    /// A stored value with the same plural or stem, or within a small edit distance.
    ValueFuzzy,
    /// A stored value that contains the word.
    ValuePart,
    /// A word that many stored values of a column contain.
    ValueWord,
}

impl Method {
    /// Score that ranks the candidates of a phrase, 0 to 1 (`docs/spec.md` §2.1 for values; names use the same scale).
    pub(crate) fn base(self) -> f64 {
        match self {
            Self::Exact | Self::ValueExact => 1.0,
            Self::Corrected | Self::Learned | Self::Stem | Self::Synonym => 0.95,
            Self::ValueFuzzy | Self::ValuePart => 0.85,
            Self::Abbreviation | Self::Fuzzy => 0.8,
            Self::Head | Self::ValueWord => 0.82,
            Self::Related => 0.72,
            Self::Role => 0.7,
            Self::Beginning | Self::Kin | Self::Modifier => 0.62,
            Self::Implied => 0.55,
        }
    }

    /// Precision of this kind of match, 0 to 1, as shown to users; [`Self::base`] is for ranking.
    ///
    /// The share of such matches that the gold statement agrees with, measured on the Spider training questions
    /// (`cargo xtask eval composer --set spider`) and rounded to hundredths. Those catalogs have no synonyms;
    /// [`Self::Synonym`] has the value of [`Self::Stem`].
    pub(crate) fn confidence(self) -> f64 {
        match self {
            Self::Corrected | Self::Learned => 0.95,
            Self::ValueExact => 0.94,
            Self::Abbreviation => 0.93,
            Self::Exact => 0.91,
            Self::Beginning => 0.9,
            Self::Stem | Self::Synonym => 0.89,
            Self::ValuePart => 0.86,
            Self::Fuzzy => 0.82,
            Self::Modifier => 0.81,
            Self::Head => 0.79,
            Self::Related | Self::ValueFuzzy | Self::ValueWord => 0.71,
            Self::Role => 0.67,
            Self::Implied | Self::Kin => 0.48,
        }
    }

    /// Whether the words match the whole name, apart from inflection and spelling.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::Abbreviation | Self::Exact | Self::Fuzzy | Self::Stem | Self::Synonym)
    }

    /// Whether the words are a whole stored value.
    pub(crate) fn is_stored_whole(self) -> bool {
        self == Self::ValueExact
    }

    /// Whether the words match the name only by meaning.
    pub(crate) fn is_by_meaning(self) -> bool {
        matches!(self, Self::Beginning | Self::Implied | Self::Kin | Self::Learned | Self::Related)
    }

    /// Short description, for users.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Abbreviation => "an abbreviation of its name",
            Self::Beginning => "the word starts with its name",
            Self::Corrected => "your correction",
            Self::Exact => "the same name",
            Self::Fuzzy => "a similar spelling",
            Self::Head => "the last word of its name",
            Self::Implied => "implied by the rest of the question",
            Self::Learned => "learned from a correction of yours",
            Self::Kin => "a broader or narrower term",
            Self::Modifier => "a part of its name",
            Self::Related => "a word with the same meaning",
            Self::Role => "a column of this kind",
            Self::Stem => "another form of its name",
            Self::Synonym => "a synonym in the catalog",
            Self::ValueExact => "a stored value",
            Self::ValueFuzzy => "close to a stored value",
            Self::ValuePart => "a part of a stored value",
            Self::ValueWord => "a word in many stored values",
        }
    }
}
