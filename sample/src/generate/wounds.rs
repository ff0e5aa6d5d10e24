//! Course of one wound: visits with its size at each, and infections.

use super::random::Random;

/// Outcome of a wound.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Fate {
    Heals,
    Stalls,
    Grows,
}

/// Observation of the wound at a visit.
pub(super) struct Visit {
    pub(super) day: i32,
    /// Millimetres; 0 for a healed wound.
    pub(super) length: i64,
    pub(super) width: i64,
    pub(super) infected: bool,
    pub(super) trend: Option<&'static str>,
}

impl Visit {
    /// Area in square millimetres (hundredths of a cm²).
    pub(super) fn area(&self) -> i64 {
        self.length * self.width
    }
}

pub(super) struct Infection {
    pub(super) diagnosed: i32,
    pub(super) resolved: Option<i32>,
}

/// Course of a wound until today.
pub(super) struct Course {
    pub(super) visits: Vec<Visit>,
    pub(super) infection: Option<Infection>,
    pub(super) healed: Option<i32>,
    pub(super) status: &'static str,
}

/// Draws the course of a wound; `onset` is its first day, `start_area` its area in cm².
pub(super) fn draw_course(random: &mut Random, onset: i32, start_area: f64) -> Course {
    let fate = match random.between(0..=99) {
        _ if onset < -500 && random.chance(820) => Fate::Heals,
        0..=68 => Fate::Heals,
        69..=86 => Fate::Stalls,
        _ => Fate::Grows,
    };
    let ratio = random.real(0.5, 2.0);
    let interval = match fate {
        Fate::Heals => random.between(7..=14),
        Fate::Stalls | Fate::Grows => (-onset / 12).max(random.between(7..=16)),
    };
    let infected_visit = random.chance(300).then(|| random.between(1..=4) as usize);
    let mut visits: Vec<Visit> = Vec::new();
    let mut infection: Option<Infection> = None;
    let mut healed = None;
    let mut area = start_area;
    let mut day = (onset + random.between(1..=9)).min(0);
    while day <= 0 && healed.is_none() {
        if infected_visit == Some(visits.len()) {
            let resolved = day + random.between(10..=40);
            infection =
                Some(Infection { diagnosed: day, resolved: (resolved <= 0).then_some(resolved) });
        }
        let infected = infection
            .as_ref()
            .is_some_and(|infection| infection.resolved.is_none_or(|resolved| day < resolved));
        if let Some(last) = visits.last() {
            area = area_after(random, fate, infected, last.area() as f64 / 100.0);
        }
        let is_closed = fate == Fate::Heals && !infected && !visits.is_empty() && area < 0.4;
        let (length, width) = if is_closed { (0, 0) } else { sides(area, ratio) };
        let mut visit = Visit { day, length, width, infected, trend: None };
        visit.trend = visits.last().map(|last| trend(last.area(), visit.area()));
        if is_closed {
            healed = Some(day);
        }
        visits.push(visit);
        day += interval + random.between(-2..=3);
    }
    let status = match (healed, fate) {
        (Some(_), _) => "healed",
        _ if visits.len() < 3 => "open",
        (None, Fate::Heals) => "healing",
        (None, Fate::Stalls) => "stalled",
        (None, Fate::Grows) => "open",
    };
    Course { visits, infection, healed, status }
}

/// Area in cm² at the next visit.
fn area_after(random: &mut Random, fate: Fate, infected: bool, area: f64) -> f64 {
    let factor = match (fate, infected) {
        (Fate::Heals, false) => random.real(0.48, 0.84),
        (Fate::Heals, true) => 1.0,
        (Fate::Stalls, _) => random.real(0.94, 1.06),
        (Fate::Grows, _) => random.real(1.0, 1.12),
    };
    (area * factor).min(190.0)
}

/// Length and width in millimetres for about this area in cm².
fn sides(area: f64, ratio: f64) -> (i64, i64) {
    let length = ((area * ratio).sqrt() * 10.0).round().max(1.0);
    let width = (area * 100.0 / length).floor().max(1.0);
    (length as i64, width as i64)
}

fn trend(before: i64, now: i64) -> &'static str {
    // Changes of less than 5 % count as unchanged.
    if now * 100 < before * 95 {
        "improving"
    } else if now * 100 > before * 105 {
        "worsening"
    } else {
        "stable"
    }
}
