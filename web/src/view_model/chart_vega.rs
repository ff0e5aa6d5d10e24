//! A chart as a Vega-Lite specification.

use serde_json::{Value, json};

use super::chart::{Chart, ChartKind, Point};

/// Version of Vega-Lite that the specification is written for.
const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v5.json";
/// Width of lines and scatter plots in pixels; bars have a height for each.
const PLOT_WIDTH: u32 = 640;

/// A file with the specification and the data of a chart.
///
/// Fields have names of their own, since names of columns may contain characters with a meaning in Vega-Lite.
pub fn file(chart: &Chart) -> String {
    let values: Vec<Value> = chart.points.iter().map(|point| value(chart, point)).collect();
    let specification = json!({
        "$schema": SCHEMA,
        "title": chart.heading,
        "description": chart.summary,
        "data": { "values": values },
        "mark": mark(chart.kind),
        "width": PLOT_WIDTH,
        "encoding": encoding(chart),
    });
    // Maps of texts and finite numbers always serialise.
    serde_json::to_string_pretty(&specification).unwrap_or_default() + "\n"
}

fn value(chart: &Chart, point: &Point) -> Value {
    let mut value = json!({ "category": point.stored, "value": point.y });
    if chart.kind == ChartKind::Scatter {
        value["position"] = json!(point.x);
    }
    if let Some(series) = chart.series.get(point.series) {
        value["series"] = json!(series);
    }
    value
}

fn mark(kind: ChartKind) -> Value {
    match kind {
        ChartKind::Line => json!({ "type": "line", "point": true, "tooltip": true }),
        ChartKind::Scatter => json!({ "type": "point", "filled": true, "tooltip": true }),
        _ => json!({ "type": "bar", "tooltip": true }),
    }
}

fn encoding(chart: &Chart) -> Value {
    let figure = |field: &str, title: &str| json!({ "field": field, "type": "quantitative", "title": title });
    let names = |kind: &str| json!({ "field": "category", "type": kind, "sort": null, "title": chart.x_title });
    let mut encoding = match chart.kind {
        ChartKind::Scatter => json!({
            "x": figure("position", &chart.x_title),
            "y": figure("value", &chart.y_title),
            "tooltip": [{ "field": "category", "type": "nominal" }, { "field": "position", "type": "quantitative",
                "title": chart.x_title }, figure("value", &chart.y_title)],
        }),
        ChartKind::Line => json!({
            "x": names("ordinal"),
            "y": figure("value", &chart.y_title),
        }),
        _ => json!({
            "y": names("nominal"),
            "x": figure("value", &chart.y_title),
        }),
    };
    if chart.kind == ChartKind::Whole {
        encoding["x"]["scale"] = json!({ "domain": [0, 100] });
    }
    if !chart.series.is_empty() {
        let series = json!({
            "field": "series", "type": "nominal", "sort": chart.series, "title": chart.series_title,
        });
        match chart.kind {
            ChartKind::Grouped => {
                encoding["yOffset"] = json!({ "field": "series", "sort": chart.series });
            }
            ChartKind::Line => {
                encoding["shape"] = series.clone();
                encoding["strokeDash"] = series.clone();
            }
            _ => {}
        }
        encoding["color"] = series;
    }
    encoding
}

#[cfg(test)]
mod tests {
    use super::file;
    use crate::view_model::chart::{Chart, ChartKind, Point};
    use serde_json::Value;

    const HOSTILE: &str = "a.b[0] \"</script>";

    fn specification(kind: ChartKind, series: &[&str]) -> Value {
        let chart = Chart {
            kind,
            heading: HOSTILE.into(),
            x_title: "City".into(),
            y_title: HOSTILE.into(),
            series_title: "Status".into(),
            series: series.iter().map(|name| (*name).to_owned()).collect(),
            points: vec![Point { stored: HOSTILE.into(), x: 2.0, y: 1.5, ..Point::default() }],
            summary: "A chart.".into(),
            ..Chart::default()
        };
        serde_json::from_str(&file(&chart)).expect("JSON")
    }

    #[test]
    fn bars_lie_and_keep_the_order_of_the_categories() {
        let bars = specification(ChartKind::Bars, &[]);
        assert_eq!(bars["mark"]["type"], "bar");
        assert_eq!(bars["encoding"]["y"]["field"], "category");
        assert!(bars["encoding"]["y"]["sort"].is_null());
        assert_eq!(bars["encoding"]["x"]["title"], HOSTILE);
        assert_eq!(bars["data"]["values"][0]["category"], HOSTILE);
        assert_eq!(bars["data"]["values"][0]["value"], 1.5);
        assert_eq!(bars["encoding"].get("color"), None);
    }

    #[test]
    fn series_have_a_colour_and_another_difference() {
        let grouped = specification(ChartKind::Grouped, &["open", "paid"]);
        assert_eq!(grouped["encoding"]["yOffset"]["field"], "series");
        assert_eq!(grouped["encoding"]["color"]["title"], "Status");
        assert_eq!(grouped["data"]["values"][0]["series"], "open");
        let lines = specification(ChartKind::Line, &["open", "paid"]);
        assert_eq!(lines["encoding"]["strokeDash"]["field"], "series");
    }

    #[test]
    fn a_scatter_plot_has_two_measures() {
        let dots = specification(ChartKind::Scatter, &[]);
        assert_eq!(dots["encoding"]["x"]["field"], "position");
        assert_eq!(dots["data"]["values"][0]["position"], 2.0);
    }
}
