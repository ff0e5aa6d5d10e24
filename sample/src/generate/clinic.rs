//! The wound clinic.

mod staff;
mod visits;

use crate::dataset::{Dataset, row};
use crate::value::Decimal;

use super::application::Organisation;
use super::people::{culture, national_id, person, phone};
use super::random::{Random, Shares};
use super::wounds::{Course, draw_course};
use super::{HISTORY_DAYS, World, key};

const PATIENTS: usize = 420;

/// A wound with its generated course.
struct Wound {
    id: i64,
    patient_id: i64,
    clinician_id: i64,
    thickness: &'static str,
    onset: i32,
    course: Course,
}

pub(super) fn add(
    data: &mut Dataset,
    world: &World<'_>,
    organisation: &Organisation,
    last_supplier: i64,
) {
    let clinicians = staff::add_clinicians(data, world);
    let dressings = staff::add_dressings(data, world, last_supplier);
    for (place, kind) in world.words.clinic.wound_types.iter().enumerate() {
        row!(data, wound_types, {
            wound_type_id: key(place),
            name: &kind.name,
            category: &kind.category,
            description: &kind.description,
        });
    }
    let mut random = Random::for_part("patients");
    let mut wounds: Vec<Wound> = Vec::new();
    let by_clinician = Shares::skewed(clinicians.len());
    for place in 0..PATIENTS {
        let clinician_id = clinicians[random.index(&by_clinician)];
        let first = wounds.len();
        let count = *random.pick(&[1, 1, 1, 1, 2, 2, 3]);
        // The first wound is the reason for the first visit; others develop later.
        let mut onset = -random.between(3..=HISTORY_DAYS);
        let has_diabetes = random.chance(380);
        for _ in 0..count {
            let patient_id = key(place);
            let id = key(wounds.len());
            wounds.push(add_wound(
                data,
                world,
                &mut random,
                (id, patient_id, clinician_id),
                onset,
                has_diabetes,
            ));
            onset = (onset + random.between(0..=240)).min(-1);
        }
        add_patient(
            data,
            world,
            organisation,
            &mut random,
            place,
            clinician_id,
            has_diabetes,
            &wounds[first..],
        );
    }
    visits::add(data, world, &clinicians, &dressings, &wounds);
}

fn add_wound(
    data: &mut Dataset,
    world: &World<'_>,
    random: &mut Random,
    (id, patient_id, clinician_id): (i64, i64, i64),
    onset: i32,
    has_diabetes: bool,
) -> Wound {
    let words = &world.words.clinic;
    let kinds = Shares::new(words.wound_types.iter().map(|kind| {
        let is_of_diabetes = kind.name.starts_with("Diabetic");
        if is_of_diabetes && !has_diabetes { 0 } else { u64::from(kind.weight) }
    }));
    let place = random.index(&kinds);
    let kind = &words.wound_types[place];
    let stage = kind.staged.then(|| *random.pick(&[1, 2, 2, 2, 3, 3, 3, 4]));
    let thickness = match stage {
        Some(1) => "superficial",
        Some(2) => "partial",
        Some(_) => "full",
        None => random.pick(&["superficial", "partial", "partial", "full"]),
    };
    let area = kind.area * random.real(0.3, 1.6) * random.real(0.4, 2.2);
    let course = draw_course(random, onset, area.max(0.6));
    let latest = course.visits.last();
    let still_infected = course.healed.is_none()
        && course.infection.as_ref().is_some_and(|infection| infection.resolved.is_none());
    row!(data, wounds, {
        wound_id: id,
        patient_id: patient_id,
        wound_type_id: key(place),
        body_location: random.pick(&kind.locations),
        stage: stage,
        thickness: thickness,
        status: course.status,
        infected: still_infected,
        area: Decimal::cents(latest.map_or(0, super::wounds::Visit::area)),
        initial_area: Decimal::cents(course.visits.first().map_or(0, super::wounds::Visit::area)),
        onset_date: world.calendar.date(onset),
        healed_on: course.healed.map(|day| world.calendar.date(day)),
    });
    Wound { id, patient_id, clinician_id, thickness, onset, course }
}

#[expect(
    clippy::too_many_arguments,
    reason = "one call, with what was drawn for the patient so far"
)]
fn add_patient(
    data: &mut Dataset,
    world: &World<'_>,
    organisation: &Organisation,
    random: &mut Random,
    place: usize,
    clinician_id: i64,
    has_diabetes: bool,
    wounds: &[Wound],
) {
    let calendar = &world.calendar;
    let id = key(place);
    let city = &organisation.cities[random.index(&organisation.city_shares)];
    let culture = culture(world.words, &city.iso_code);
    let sex = *random.pick(&["female", "female", "female", "male", "male", "male"]);
    let who = person(random, culture, sex == "female");
    let sex = if random.chance(8) { "other" } else { sex };
    let registered =
        wounds.first().and_then(|wound| wound.course.visits.first()).map_or(0, |visit| visit.day);
    let all_healed: Option<Vec<i32>> = wounds.iter().map(|wound| wound.course.healed).collect();
    let discharged = all_healed
        .and_then(|days| days.into_iter().max())
        .map(|day| day + random.between(5..=40))
        .filter(|&day| day <= 0 && random.chance(850));
    row!(data, patients, {
        patient_id: id,
        patient_number: format!("P-{:05}", 10_000 + id),
        first_name: &who.first_name,
        last_name: &who.last_name,
        sex: sex,
        birth_date: calendar.date(-random.between(24 * 365..=94 * 365)),
        national_id: national_id(random, id),
        email: random.chance(560).then(|| format!("{}{id}@mail.example", who.login())),
        phone: random.chance(870).then(|| phone(random, culture)),
        city_id: city.id,
        primary_clinician_id: clinician_id,
        has_diabetes: has_diabetes,
        is_smoker: random.chance(880).then(|| random.chance(240)),
        body_mass_index: random.chance(830).then(|| Decimal { units: random.amount(172..=425), scale: 1 }),
        registered_on: calendar.date(registered),
        discharged_on: discharged.map(|day| calendar.date(day)),
    });
    for _ in 0..*random.pick(&[1, 1, 1, 2]) {
        add_care_plan(data, world, random, id, clinician_id, registered, discharged);
    }
}

fn add_care_plan(
    data: &mut Dataset,
    world: &World<'_>,
    random: &mut Random,
    patient_id: i64,
    clinician_id: i64,
    registered: i32,
    discharged: Option<i32>,
) {
    let start = (registered + random.between(0..=20)).min(discharged.unwrap_or(0));
    let end = discharged.or_else(|| {
        let planned = start + random.between(60..=200);
        (planned <= 0 && random.chance(400)).then_some(planned)
    });
    let status = match end {
        Some(_) => "completed",
        None if random.chance(90) => "paused",
        None => "active",
    };
    let review = match end {
        Some(day) => day.min(start + 90),
        None => random.between(-20..=60).max(start + 7),
    };
    let id = key(data.rows("care_plans").map_or(0, |table| table.rows.len()));
    row!(data, care_plans, {
        care_plan_id: id,
        patient_id: patient_id,
        clinician_id: clinician_id,
        goal: random.pick(&world.words.clinic.goals),
        visits_per_week: random.between(1..=4),
        status: status,
        start_date: world.calendar.date(start),
        review_date: world.calendar.date(review),
        end_date: end.map(|day| world.calendar.date(day)),
    });
}
