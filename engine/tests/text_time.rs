//! Time expressions in questions asked on Friday, 20 November 2026.

use jiff::civil::{Date, date};
use proptest::prelude::*;
use wherefore_engine::text::{TimeKind, TimeMention, time_expressions, tokenize};

const TODAY: Date = date(2026, 11, 20);

fn mentions(text: &str, today: Date, fiscal_year_start: u8) -> Vec<TimeMention> {
    time_expressions(&tokenize(text), today, fiscal_year_start)
}

/// Time expressions as `start..end`, with `?` if the words may not be a time.
fn ranges(text: &str, today: Date, fiscal_year_start: u8) -> String {
    mentions(text, today, fiscal_year_start)
        .into_iter()
        .map(|mention| {
            let (start, end) = (mention.range.start, mention.range.end);
            let weak = if mention.weak { "?" } else { "" };
            format!("{}..{}{weak}", start.unwrap_or_default(), end.unwrap_or_default())
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expected)| {
            let found = ranges(text, TODAY, 1);
            (found != *expected).then(|| format!("{text}: {found} instead of {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn days_and_periods_around_today() {
    check(&[
        ("invoices today", "2026-11-20..2026-11-21"),
        ("yesterday's orders", "2026-11-19..2026-11-20"),
        ("due tomorrow", "2026-11-21..2026-11-22"),
        ("the day before yesterday", "2026-11-18..2026-11-19"),
        ("this morning", "2026-11-20..2026-11-21"),
        ("shipped tonight", "2026-11-20..2026-11-21"),
        ("last night", "2026-11-19..2026-11-20"),
        ("orders this week", "2026-11-16..2026-11-23"),
        ("orders last week", "2026-11-09..2026-11-16"),
        ("orders next week", "2026-11-23..2026-11-30"),
        ("this weekend", "2026-11-21..2026-11-23"),
        ("last weekend", "2026-11-14..2026-11-16"),
        ("this month", "2026-11-01..2026-12-01"),
        ("last month's sales", "2026-10-01..2026-11-01"),
        ("in the previous month", "2026-10-01..2026-11-01"),
        ("current quarter", "2026-10-01..2027-01-01"),
        ("last quarter", "2026-07-01..2026-10-01"),
        ("next quarter", "2027-01-01..2027-04-01"),
        ("this year", "2026-01-01..2027-01-01"),
        ("last year", "2025-01-01..2026-01-01"),
        ("previous year", "2025-01-01..2026-01-01"),
        ("past year", "2025-11-21..2026-11-21"),
        ("in the last year", "2025-11-21..2026-11-21"),
        ("over the past week", "2026-11-14..2026-11-21"),
        ("year to date", "2026-01-01..2026-11-21"),
        ("YTD sales", "2026-01-01..2026-11-21"),
        ("year-to-date", "2026-01-01..2026-11-21"),
        ("month to date", "2026-11-01..2026-11-21"),
        ("so far this year", "2026-01-01..2026-11-21"),
        ("this quarter so far", "2026-10-01..2026-11-21"),
    ]);
}

#[test]
fn lengths_of_time() {
    check(&[
        ("last 30 days", "2026-10-22..2026-11-21"),
        ("in the past 7 days", "2026-11-14..2026-11-21"),
        ("last-30-days", "2026-10-22..2026-11-21"),
        ("the last 30-day period", "2026-10-22..2026-11-21"),
        ("over the past 3 weeks", "2026-10-31..2026-11-21"),
        ("last two months", "2026-09-21..2026-11-21"),
        ("last 1 month", "2026-10-21..2026-11-21"),
        ("previous 2 quarters", "2026-05-21..2026-11-21"),
        ("last twelve months", "2025-11-21..2026-11-21"),
        ("past 5 years", "2021-11-21..2026-11-21"),
        ("last couple of weeks", "2026-11-07..2026-11-21"),
        ("last 3 full months", "2026-08-01..2026-11-01"),
        ("in the next 2 weeks", "2026-11-20..2026-12-04"),
        ("next 3 months", "2026-11-20..2027-02-20"),
        ("3 days ago", "2026-11-17..2026-11-18"),
        ("two months ago", "2026-09-01..2026-10-01"),
        ("a year ago", "2025-01-01..2026-01-01"),
        ("since 2 weeks ago", "2026-11-06.."),
        ("2 weeks from now", "2026-11-30..2026-12-07"),
        ("older than 30 days", "..2026-10-21"),
        ("more than 60 days ago", "..2026-09-21"),
        ("over 2 years old", "..2024-11-20?"),
        ("over 2 years ago", "..2024-11-20"),
        ("over 90 days old", "..2026-08-22"),
        ("less than 30 days ago", "2026-10-22..2026-11-21"),
        ("at least 30 days ago", "..2026-10-22"),
        ("assessed within 30 days", "2026-10-22..2026-11-21"),
        ("within the last 90 days", "2026-08-23..2026-11-21"),
        ("newer than a week", "2026-11-14..2026-11-21"),
    ]);
}

#[test]
fn dates_and_months() {
    check(&[
        ("on 2025-03-01", "2025-03-01..2025-03-02"),
        ("since 2025-03-01T00:00:00Z", "2025-03-01.."),
        ("on 2025/3/1", "2025-03-01..2025-03-02"),
        ("in 2023-05", "2023-05-01..2023-06-01"),
        ("on 05/01/2023", "2023-05-01..2023-05-02"),
        ("on 25/01/2023", "2023-01-25..2023-01-26"),
        ("on 5/1/23", "2023-05-01..2023-05-02"),
        ("on 1.5.2023", "2023-05-01..2023-05-02"),
        ("in May", "2026-05-01..2026-06-01"),
        ("in November", "2026-11-01..2026-12-01"),
        ("in December", "2025-12-01..2026-01-01"),
        ("January sales", "2026-01-01..2026-02-01?"),
        ("total May sales", "2026-05-01..2026-06-01?"),
        ("May 2023", "2023-05-01..2023-06-01"),
        ("may of 2023", "2023-05-01..2023-06-01"),
        ("May '23", "2023-05-01..2023-06-01"),
        ("May last year", "2025-05-01..2025-06-01"),
        ("in the month of March", "2026-03-01..2026-04-01"),
        ("May 5, 2023", "2023-05-05..2023-05-06"),
        ("May 5th 2023", "2023-05-05..2023-05-06"),
        ("5 May 2023", "2023-05-05..2023-05-06"),
        ("on the 5th of May", "2026-05-05..2026-05-06"),
        ("on May fifth", "2026-05-05..2026-05-06"),
        ("Friday, May 5, 2023", "2023-05-05..2023-05-06"),
        ("Monday 30 November", "2026-11-30..2026-12-01"),
        ("Friday, May 5", "2023-05-05..2023-05-06"),
        ("Dec. 24", "2025-12-24..2025-12-25"),
        ("February 29", "2024-02-29..2024-03-01"),
        ("29 February 2024", "2024-02-29..2024-03-01"),
        ("May 5-10, 2023", "2023-05-05..2023-05-11"),
        ("from 5 to 10 May 2023", "2023-05-05..2023-05-11"),
        ("between 5 and 10 May", "2026-05-05..2026-05-11"),
        ("last May", "2026-05-01..2026-06-01"),
        ("last November", "2025-11-01..2025-12-01"),
        ("next March", "2027-03-01..2027-04-01"),
        ("last Monday", "2026-11-16..2026-11-17"),
        ("last Friday", "2026-11-13..2026-11-14"),
        ("on Friday", "2026-11-20..2026-11-21"),
        ("next Friday", "2026-11-27..2026-11-28"),
        ("Tuesday of last week", "2026-11-10..2026-11-11"),
        ("since Monday", "2026-11-16.."),
        ("Monday orders", "2026-11-16..2026-11-17?"),
    ]);
}

#[test]
fn years_quarters_and_longer() {
    check(&[
        ("sales in 2023", "2023-01-01..2024-01-01"),
        ("during the year 2023", "2023-01-01..2024-01-01"),
        ("2023 sales", "2023-01-01..2024-01-01?"),
        ("in 2022 and 2023", "2022-01-01..2023-01-01 2023-01-01..2024-01-01"),
        ("Q2", "2026-04-01..2026-07-01"),
        ("Q4", "2026-10-01..2027-01-01"),
        ("Q2 2023", "2023-04-01..2023-07-01"),
        ("Q2-2023", "2023-04-01..2023-07-01"),
        ("2023 Q2", "2023-04-01..2023-07-01"),
        ("second quarter of 2023", "2023-04-01..2023-07-01"),
        ("the last quarter of 2023", "2023-10-01..2024-01-01"),
        ("Q1 last year", "2025-01-01..2025-04-01"),
        ("H1 2024", "2024-01-01..2024-07-01"),
        ("first half of 2024", "2024-01-01..2024-07-01"),
        ("the 1990s", "1990-01-01..2000-01-01"),
        ("in the 90s", "1990-01-01..2000-01-01"),
        ("the '80s", "1980-01-01..1990-01-01"),
        ("in the nineties", "1990-01-01..2000-01-01"),
        ("summer 2023", "2023-06-01..2023-09-01"),
        ("winter of 2023", "2023-12-01..2024-03-01"),
        ("in the fall semester of 2003", "2003-09-01..2003-12-01"),
        ("last summer", "2026-06-01..2026-09-01"),
        ("first week of May 2023", "2023-05-01..2023-05-08"),
        ("last 3 months of 2023", "2023-10-01..2024-01-01"),
        ("the second month of last quarter", "2026-08-01..2026-09-01"),
        ("the week of May 5, 2023", "2023-05-01..2023-05-08"),
        ("by the end of 2023", "..2024-01-01"),
        ("since the beginning of the year", "2026-01-01.."),
    ]);
}

#[test]
fn bounds_and_ranges() {
    check(&[
        ("invoices since 2025", "2025-01-01.."),
        ("since May", "2026-05-01.."),
        ("since last month", "2026-10-01.."),
        ("starting in March 2024", "2024-03-01.."),
        ("from 2024 on", "2024-01-01.."),
        ("from 2024", "2024-01-01..2025-01-01"),
        ("from last month", "2026-10-01..2026-11-01"),
        ("in or after 2005", "2005-01-01.."),
        ("founded before 1850", "..1850-01-01"),
        ("after the date '2005-08-23'", "2005-08-24.."),
        ("in both 2020 and 2021", "2020-01-01..2021-01-01 2021-01-01..2022-01-01"),
        ("2024 onwards", "2024-01-01.."),
        ("2024 or earlier", "..2025-01-01"),
        ("after 2025", "2026-01-01.."),
        ("after May 5, 2023", "2023-05-06.."),
        ("after 3 days ago", "2026-11-18.."),
        ("before 2020", "..2020-01-01"),
        ("prior to May 2020", "..2020-05-01"),
        ("before last Monday", "..2026-11-16"),
        ("until 2020", "..2021-01-01"),
        ("through March", "..2026-04-01"),
        ("up to 2020", "..2021-01-01"),
        ("on or before 2020-02-29", "..2020-03-01"),
        ("by Q2 2023", "..2023-07-01"),
        ("orders by May", "..2026-06-01?"),
        ("up to today", "..2026-11-21"),
        ("between 2021 and 2023", "2021-01-01..2024-01-01"),
        ("between May and July 2023", "2023-05-01..2023-08-01"),
        ("between 2023-01-15 and 2023-02-10", "2023-01-15..2023-02-11"),
        ("between 2023 and 2021", "2021-01-01..2024-01-01"),
        ("from May to July", "2026-05-01..2026-08-01"),
        ("from Nov to Jan", "2025-11-01..2026-02-01"),
        ("from January to December", "2026-01-01..2027-01-01"),
        ("from November 2022 to January 2023", "2022-11-01..2023-02-01"),
        ("from November to January 2023", "2022-11-01..2023-02-01"),
        ("2021 to 2023", "2021-01-01..2024-01-01"),
        ("2021-2023", "2021-01-01..2024-01-01"),
        ("in 2021–2023", "2021-01-01..2024-01-01"),
        ("May - July 2023", "2023-05-01..2023-08-01"),
        ("May through July", "2026-05-01..2026-08-01"),
        ("from 2025-12-30 to now", "2025-12-30..2026-11-21"),
        ("after 2020 and before 2023", "2021-01-01.. ..2023-01-01"),
    ]);
}

#[test]
fn what_is_no_time_gives_nothing() {
    let quiet = [
        "may I see the customers",
        "which customers may order",
        "top 5 may include albums",
        "march to the office",
        "the second customer",
        "a quarter of the orders",
        "first half of the list",
        "sales year over year",
        "year-over-year growth",
        "sales by month",
        "revenue per year",
        "same month last year",
        "early 2023",
        "total over 2000",
        "more than 2000 orders",
        "top 2000 customers",
        "amount > 2000",
        "$2000 invoices",
        "2000 dollars",
        "customer id 2023",
        "invoice number 1999",
        "the sun and the sat nav",
        "a fall in price",
        "spring onions",
        "for now",
        "how many days",
        "open for 3 months",
        "within 30 days of admission",
        "older than 30",
        "a balance of 1850",
        "named '2005-08-23'",
        "after '2005-08-23 02:06:01'",
        "before 2005-08-23 02:06",
        "at 2025-03-01T10:30:00Z",
        "2 days before Saturday",
        "exactly two months after March 2021",
        "in 3 days",
        "last few days",
        "last customers",
        "this customer",
        "albums named 'May 2023'",
        "February 30, 2023",
        "on 2023-02-30",
        "on 13/13/2023",
        "last 9999999 days",
        "last 99999 years",
        "mid-2023",
        "2,023",
        "20231",
        "to date",
        "latest orders",
        "Augusta",
        "day to day",
        "",
    ];
    check(&quiet.map(|text| (text, "")));
}

#[test]
fn months_end_and_leap_days_are_kept() {
    for (today, text, expected) in [
        (date(2024, 3, 31), "last month", "2024-02-01..2024-03-01"),
        (date(2024, 3, 31), "last 1 month", "2024-03-01..2024-04-01"),
        (date(2024, 2, 29), "last 1 year", "2023-03-01..2024-03-01"),
        (date(2024, 2, 29), "1 year ago", "2023-01-01..2024-01-01"),
        (date(2026, 1, 1), "yesterday", "2025-12-31..2026-01-01"),
        (date(2026, 1, 1), "last week", "2025-12-22..2025-12-29"),
        (date(2026, 1, 1), "last quarter", "2025-10-01..2026-01-01"),
        (date(2026, 1, 1), "this quarter", "2026-01-01..2026-04-01"),
        (date(2026, 1, 1), "in winter", "2025-12-01..2026-03-01"),
        (date(2026, 11, 22), "this weekend", "2026-11-21..2026-11-23"),
        (date(2026, 11, 22), "this week", "2026-11-16..2026-11-23"),
        (date(9999, 12, 31), "tomorrow", ""),
        (date(9999, 12, 31), "this year", ""),
        (date(1, 1, 1), "yesterday", ""),
        (date(1, 1, 1), "last year", ""),
    ] {
        assert_eq!(ranges(text, today, 1), expected, "{text} on {today}");
    }
}

#[test]
fn fiscal_years_bear_the_year_they_end_in() {
    for (start, text, expected) in [
        (1, "fiscal year 2024", "2024-01-01..2025-01-01"),
        (10, "fiscal year 2024", "2023-10-01..2024-10-01"),
        (10, "FY24", "2023-10-01..2024-10-01"),
        (10, "FY2024", "2023-10-01..2024-10-01"),
        (10, "in fy 24", "2023-10-01..2024-10-01"),
        (10, "Q1 FY24", "2023-10-01..2024-01-01"),
        (10, "this fiscal year", "2026-10-01..2027-10-01"),
        (10, "last fiscal year", "2025-10-01..2026-10-01"),
        (10, "fiscal year to date", "2026-10-01..2026-11-21"),
        (4, "this fiscal quarter", "2026-10-01..2027-01-01"),
        (2, "last fiscal quarter", "2026-08-01..2026-11-01"),
        (2, "last quarter", "2026-07-01..2026-10-01"),
        (0, "FY24", "2024-01-01..2025-01-01"),
        (99, "since fy24", "2024-01-01.."),
    ] {
        assert_eq!(ranges(text, TODAY, start), expected, "{text} from month {start}");
    }
}

#[test]
fn a_mention_says_where_and_what_it_is() {
    for (text, span, kind, description) in [
        (
            "sales in the last 1 month please",
            "in the last 1 month",
            TimeKind::Range,
            "from 2026-10-21 to 2026-11-20",
        ),
        ("invoices since 2025", "since 2025", TimeKind::Since, "from 2025-01-01 on"),
        ("invoices before 2020?", "before 2020", TimeKind::Until, "up to 2019-12-31"),
        ("São Paulo, yesterday", "yesterday", TimeKind::Point, "on 2026-11-19"),
        ("sales in May 2023", "in May 2023", TimeKind::Period, "from 2023-05-01 to 2023-05-31"),
        ("on 05/01/2023", "on 05/01/2023", TimeKind::Point, "on 2023-05-01 (month first)"),
        ("on 25/01/2023", "on 25/01/2023", TimeKind::Point, "on 2023-01-25"),
    ] {
        let found = mentions(text, TODAY, 1);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].span.of(text), span);
        assert_eq!(found[0].kind, kind, "{text}");
        assert_eq!(found[0].description, description);
    }
}

#[test]
fn other_readings_are_kept() {
    for (text, rival) in [
        ("on 05/01/2023", Some("2023-01-05..2023-01-06")),
        ("on 05/05/2023", None),
        ("since 05/01/2023", Some("2023-01-05..")),
        ("from 2023", Some("2023-01-01..")),
        ("since 2023", None),
        ("in the last month", Some("2026-10-01..2026-11-01")),
        ("the last quarter", Some("2026-08-21..2026-11-21")),
        ("last month", None),
    ] {
        let found = mentions(text, TODAY, 1).remove(0).rival.map(|range| {
            format!("{}..{}", range.start.unwrap_or_default(), range.end.unwrap_or_default())
        });
        assert_eq!(found.as_deref(), rival, "{text}");
    }
}

#[test]
fn an_assumed_year_is_marked() {
    for (text, assumed) in
        [("in May", true), ("in May 2023", false), ("since Q2", true), ("last May", false)]
    {
        assert_eq!(mentions(text, TODAY, 1)[0].year_assumed, assumed, "{text}");
    }
}

#[test]
fn a_long_question_is_read() {
    for text in [
        "the end of ",
        "first week of ",
        "last 3 ",
        "between May and ",
        "2021-",
        "'90s ",
        "half a ",
    ] {
        let long = text.repeat(100_000 / text.len());
        assert!(mentions(&long, TODAY, 1).len() <= 100_000);
    }
}

proptest! {
    #[test]
    fn any_text_gives_ordered_ranges(
        text in "\\PC{0,60}|.{0,60}|(((the|last|next|past|first|end|start|of|from|to|between|and|since|before|within|5|30|2023|99999|'23|may|march|monday|week|months|quarter|year|fiscal|q2|fy24|ago|-|,|05/01/2023|1990s|today|now|older than|a)[ -]){0,14})",
        day in 0_i32..3_652_058,
        fiscal in 0_u8..=255,
    ) {
        let today = date(1, 1, 1).checked_add(jiff::Span::new().days(day)).unwrap();
        let mut end = 0;
        for mention in mentions(&text, today, fiscal) {
            prop_assert!(mention.span.start >= end);
            end = mention.span.end;
            prop_assert!(!mention.span.of(&text).is_empty());
            let (start, until) = (mention.range.start, mention.range.end);
            prop_assert!(start.is_some() || until.is_some());
            for day in start.iter().chain(&until) {
                prop_assert!(day.parse::<Date>().is_ok() && day.len() == 10, "{}", day);
            }
            if let (Some(start), Some(until)) = (start, until) {
                prop_assert!(start < until, "{} {}", start, until);
            }
        }
    }
}

#[test]
fn days_of_the_week_recur() {
    let days = |text: &str| {
        mentions(text, TODAY, 1).into_iter().map(|mention| mention.weekdays).collect::<Vec<_>>()
    };
    assert_eq!(days("orders every Monday"), [0b1]);
    assert_eq!(days("closed on Mondays"), [0b1]);
    assert_eq!(days("orders on a Saturday in 2025"), [0b10_0000, 0]);
    assert_eq!(days("orders on weekends"), [0b110_0000]);
    assert_eq!(days("visits on Mondays, Tuesdays or Fridays"), [0b1_0011]);
    assert_eq!(days("orders on Saturday"), [0]);
    assert_eq!(days("orders by weekday"), Vec::<u8>::new());
}
