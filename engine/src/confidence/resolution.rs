//! How words were tied to a thing, and how sure each way is.

/// How words were tied to a thing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Method {
    /// A longer or shorter form of the name: "quantity" for `qty`.
    Abbreviation,
    /// A name that is only the beginning of the word: "latitude" for `lat`.
    Beginning,
    /// A correction of the asker.
    Corrected,
    /// The name as stored, but for case.
    Exact,
    /// A name within a small edit distance.
    Fuzzy,
    /// The last words of a longer name: "country" for `billing_country`.
    Head,
    /// Nothing names it, but of what the question is about it alone is left.
    Implied,
    /// A wider or narrower word by the thesaurus: "vehicle" for `car`; or a synonym of the end of a name.
    Kin,
    /// Other words of a longer name: "shipped" for `shipped_date`.
    Modifier,
    /// A synonym by the thesaurus: "salary" for `wage`.
    Related,
    /// A word for the kind of column it is: "length" for a duration.
    Role,
    /// The name in another inflection.
    Stem,
    /// A synonym of the catalog.
    Synonym,
    /// A stored value, but for case.
    ValueExact,
    /// A stored value by plural, stem or small edit distance.
    ValueFuzzy,
    /// A stored value that holds the word among others.
    ValuePart,
}

impl Method {
    /// Base confidence, 0 to 1 (`spec` §2.1 for values; names and synonyms follow the same scale).
    pub(crate) fn base(self) -> f64 {
        match self {
            Self::Exact | Self::ValueExact => 1.0,
            Self::Corrected | Self::Stem | Self::Synonym => 0.95,
            Self::ValueFuzzy | Self::ValuePart => 0.85,
            Self::Abbreviation | Self::Fuzzy => 0.8,
            Self::Head => 0.82,
            Self::Related => 0.72,
            Self::Role => 0.7,
            Self::Beginning | Self::Kin | Self::Modifier => 0.62,
            Self::Implied => 0.55,
        }
    }

    /// How often such a tie is right, 0 to 1: the share of the ties of its kind where the gold statement names the
    /// same, on the Spider training questions (`cargo xtask eval composer --set spider`), to the nearest hundredth;
    /// of synonyms of a catalog, of which those have none, what was measured of inflections.
    ///
    /// [`Self::base`] ranks the readings of a question; this is what is shown.
    pub(crate) fn confidence(self) -> f64 {
        match self {
            Self::Corrected => 0.95,
            Self::ValueExact => 0.94,
            Self::Abbreviation => 0.93,
            Self::Exact => 0.91,
            Self::Beginning => 0.9,
            Self::Stem | Self::Synonym => 0.89,
            Self::ValuePart => 0.86,
            Self::Fuzzy => 0.82,
            Self::Modifier => 0.81,
            Self::Head => 0.79,
            Self::Related | Self::ValueFuzzy => 0.71,
            Self::Role => 0.67,
            Self::Implied | Self::Kin => 0.48,
        }
    }

    /// Whether the words are the whole name, but for inflection.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::Abbreviation | Self::Exact | Self::Fuzzy | Self::Stem | Self::Synonym)
    }

    /// Whether the words only mean much the same as the name.
    pub(crate) fn is_by_meaning(self) -> bool {
        matches!(self, Self::Beginning | Self::Implied | Self::Kin | Self::Related)
    }

    /// The way in words.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Abbreviation => "short for it",
            Self::Beginning => "the name is the beginning of the word",
            Self::Corrected => "as corrected",
            Self::Exact => "the same name",
            Self::Fuzzy => "nearly the same spelling",
            Self::Head => "the end of its name",
            Self::Implied => "what is left of what the question is about",
            Self::Kin => "a wider or narrower word for it",
            Self::Modifier => "a part of its name",
            Self::Related => "a word that means the same",
            Self::Role => "a column of this kind",
            Self::Stem => "the same name, inflected",
            Self::Synonym => "a synonym in the catalog",
            Self::ValueExact => "a stored value",
            Self::ValueFuzzy => "close to a stored value",
            Self::ValuePart => "a part of a stored value",
        }
    }
}
