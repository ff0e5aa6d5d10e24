//! Rows of visits: assessments, measurements, treatments, appointments, infections.

use crate::dataset::{Dataset, row};
use crate::generate::random::Random;
use crate::generate::wounds::Visit;
use crate::generate::{World, key};
use crate::value::Decimal;

use super::Wound;
use super::staff::Dressing;

pub(super) fn add(
    data: &mut Dataset,
    world: &World<'_>,
    clinicians: &[i64],
    dressings: &[Dressing],
    wounds: &[Wound],
) {
    let mut random = Random::for_part("visits");
    let mut visits: Vec<(&Wound, &Visit)> = wounds
        .iter()
        .flat_map(|wound| wound.course.visits.iter().map(move |visit| (wound, visit)))
        .collect();
    visits.sort_by_key(|(wound, visit)| (visit.day, wound.id));
    let mut treatment_id = 0;
    let mut measurement_id = 0;
    for (place, (wound, visit)) in visits.iter().enumerate() {
        let assessment_id = key(place);
        let clinician_id =
            if random.chance(780) { wound.clinician_id } else { *random.pick(clinicians) };
        add_assessment(data, world, &mut random, assessment_id, clinician_id, wound, visit);
        // Some visits have no measurement, but the first and the last one always do.
        let is_end = visit.trend.is_none()
            || wound.course.visits.last().is_some_and(|last| last.day == visit.day);
        if is_end || random.chance(930) {
            measurement_id += 1;
            add_measurement(
                data,
                world,
                &mut random,
                (measurement_id, assessment_id),
                wound,
                visit,
            );
        }
        if visit.area() > 0 && random.chance(640) {
            treatment_id += 1;
            add_treatment(
                data,
                world,
                &mut random,
                (treatment_id, clinician_id),
                dressings,
                wound,
                visit,
            );
        }
    }
    add_appointments(data, world, &mut random, wounds);
    add_infections(data, world, &mut random, wounds);
}

fn add_assessment(
    data: &mut Dataset,
    world: &World<'_>,
    random: &mut Random,
    id: i64,
    clinician_id: i64,
    wound: &Wound,
    visit: &Visit,
) {
    let words = &world.words.clinic;
    let closed = visit.area() == 0;
    let tissue_type = match visit.trend {
        _ if closed => "epithelial",
        Some("improving") => random.pick(&["granulation", "granulation", "epithelial", "slough"]),
        Some("worsening") => random.pick(&["slough", "necrotic", "slough"]),
        _ => random.pick(&["granulation", "slough", "slough", "necrotic"]),
    };
    let exudate = match () {
        () if closed => "none",
        () if visit.infected => random.pick(&["moderate", "heavy"]),
        () => random.pick(&["none", "light", "light", "moderate"]),
    };
    let pain = match () {
        () if closed => random.between(0..=1),
        () if visit.infected => random.between(4..=9),
        () => random.between(0..=6),
    };
    let remarks = match visit.trend {
        Some("improving") => &words.notes_improving,
        Some("worsening") => &words.notes_worsening,
        _ => &words.notes_stable,
    };
    let notes = random.chance(860).then(|| {
        let mut notes = random.pick(remarks).clone();
        for _ in 0..random.between(0..=2) {
            let remark = random.pick(&words.notes_general);
            if !notes.contains(remark) {
                notes.push(' ');
                notes.push_str(remark);
            }
        }
        notes
    });
    row!(data, assessments, {
        assessment_id: id,
        wound_id: wound.id,
        clinician_id: clinician_id,
        assessed_on: world.calendar.date(visit.day),
        pain_score: random.chance(920).then_some(pain),
        exudate: exudate,
        tissue_type: tissue_type,
        infected: visit.infected,
        trend: visit.trend,
        notes: notes,
    });
}

fn add_measurement(
    data: &mut Dataset,
    world: &World<'_>,
    random: &mut Random,
    (id, assessment_id): (i64, i64),
    wound: &Wound,
    visit: &Visit,
) {
    let depth = match wound.thickness {
        _ if visit.area() == 0 => Some(0),
        "full" => Some(random.amount(4..=28)),
        "partial" => Some(random.amount(1..=4)),
        _ => None,
    };
    row!(data, measurements, {
        measurement_id: id,
        assessment_id: assessment_id,
        measured_at: world.calendar.at(visit.day, random.between(480..=1020)),
        method: *random.pick(&["ruler", "ruler", "ruler", "tracing", "photo", "photo"]),
        length: Decimal::cents(visit.length * 10),
        width: Decimal::cents(visit.width * 10),
        depth: depth.map(|millimetres| Decimal::cents(millimetres * 10)),
        area: Decimal::cents(visit.area()),
    });
}

fn add_treatment(
    data: &mut Dataset,
    world: &World<'_>,
    random: &mut Random,
    (id, clinician_id): (i64, i64),
    dressings: &[Dressing],
    wound: &Wound,
    visit: &Visit,
) {
    let kind = match random.between(0..=99) {
        0..=66 => "dressing change",
        67..=80 => "debridement",
        81..=90 => "compression",
        91..=95 => "negative pressure",
        _ => "offloading",
    };
    let dressing =
        matches!(kind, "dressing change" | "debridement").then(|| random.pick(dressings));
    let minutes = random.between(2..=12) * 5;
    let cost = i64::from(minutes) * 110 + dressing.map_or(900, |dressing| dressing.cost);
    row!(data, treatments, {
        treatment_id: id,
        wound_id: wound.id,
        clinician_id: clinician_id,
        dressing_id: dressing.map(|dressing| dressing.id),
        treatment_type: kind,
        treated_on: world.calendar.date(visit.day),
        duration_minutes: minutes,
        cost: Decimal::cents(cost),
    });
}

fn add_appointments(data: &mut Dataset, world: &World<'_>, random: &mut Random, wounds: &[Wound]) {
    // Day, wound, status.
    let mut planned: Vec<(i32, &Wound, &'static str)> = Vec::new();
    for wound in wounds {
        for visit in &wound.course.visits {
            if random.chance(380) {
                planned.push((visit.day, wound, "completed"));
            }
            if random.chance(45) {
                let status = *random.pick(&["cancelled", "no show"]);
                planned.push(((visit.day + 3).min(-1).max(wound.onset), wound, status));
            }
        }
        if wound.course.healed.is_none() {
            for _ in 0..random.between(0..=2) {
                let day = world.calendar.working_day(random.between(1..=28));
                planned.push((
                    day,
                    wound,
                    if random.chance(60) { "cancelled" } else { "scheduled" },
                ));
            }
        }
    }
    planned.sort_by_key(|(day, wound, _)| (*day, wound.id));
    for (place, (day, wound, status)) in planned.into_iter().enumerate() {
        row!(data, appointments, {
            appointment_id: key(place),
            patient_id: wound.patient_id,
            clinician_id: wound.clinician_id,
            scheduled_at: world.calendar.at(day, random.between(32..=67) * 15),
            duration_minutes: *random.pick(&[15, 30, 30, 45]),
            status: status,
            reason: random.pick(&world.words.clinic.visit_reasons),
        });
    }
}

fn add_infections(data: &mut Dataset, world: &World<'_>, random: &mut Random, wounds: &[Wound]) {
    let mut infections: Vec<_> =
        wounds.iter().filter_map(|wound| Some((wound, wound.course.infection.as_ref()?))).collect();
    infections.sort_by_key(|(wound, infection)| (infection.diagnosed, wound.id));
    let words = &world.words.clinic;
    for (place, (wound, infection)) in infections.into_iter().enumerate() {
        let severity = *random.pick(&["mild", "mild", "moderate", "moderate", "severe"]);
        row!(data, infections, {
            infection_id: key(place),
            wound_id: wound.id,
            organism: random.chance(800).then(|| random.pick(&words.organisms).clone()),
            severity: severity,
            antibiotic: (severity != "mild").then(|| random.pick(&words.antibiotics).clone()),
            diagnosed_on: world.calendar.date(infection.diagnosed),
            resolved_on: infection.resolved.map(|day| world.calendar.date(day)),
        });
    }
}
