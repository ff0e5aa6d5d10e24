//! How the series of a chart differ: by colour, and also by texture, dashes or the shape of their dots.

/// CSS classes of the series.
const CLASSES: [&str; 8] = [
    "series-0", "series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7",
];

/// Side of the square that a texture repeats, in CSS pixels.
pub const TEXTURE_TILE: f64 = 8.0;

/// Path of the texture of each series in a square of eight pixels; the first has none.
pub const TEXTURES: [&str; 8] = [
    "",
    "M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4",
    "M0,4 h8",
    "M2,2 h0.1 M6,6 h0.1",
    "M4,0 v8",
    "M-2,6 l4,4 M0,0 l8,8 M6,-2 l4,4",
    "M0,4 h8 M4,0 v8",
    "M0,8 l8,-8 M0,0 l8,8",
];

/// Class of a series.
pub fn class(series: usize) -> &'static str {
    CLASSES[series % CLASSES.len()]
}

/// Index of the texture of a series, unless it has none.
pub fn texture(series: usize) -> Option<usize> {
    Some(series % TEXTURES.len()).filter(|index| !TEXTURES[*index].is_empty())
}

/// Whether the dots of a series are hollow.
pub fn is_hollow(series: usize) -> bool {
    series % CLASSES.len() >= 4
}

/// Corners of the dot of a series around a point; none for a circle.
pub fn corners(series: usize, x: f64, y: f64, radius: f64) -> Vec<(f64, f64)> {
    let side = radius * 0.9;
    let wide = radius * 1.25;
    match series % 4 {
        1 => vec![
            (x - side, y - side),
            (x + side, y - side),
            (x + side, y + side),
            (x - side, y + side),
        ],
        2 => vec![(x, y - wide), (x + wide, y + side), (x - wide, y + side)],
        3 => vec![(x, y - wide), (x + wide, y), (x, y + wide), (x - wide, y)],
        _ => Vec::new(),
    }
}

/// Points as the attribute `points` of SVG.
pub fn points_text(points: &[(f64, f64)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{class, corners, is_hollow, texture};

    #[test]
    fn no_two_series_look_alike_without_colour() {
        let look = |series: usize| (corners(series, 0.0, 0.0, 4.0).len(), is_hollow(series));
        let dots: Vec<_> =
            (0..8).map(|series| (look(series), corners(series, 0.0, 0.0, 4.0))).collect();
        for (index, dot) in dots.iter().enumerate() {
            assert!(!dots[..index].contains(dot), "{index}");
        }
        let bars: Vec<_> = (0..8).map(texture).collect();
        for (index, bar) in bars.iter().enumerate() {
            assert!(!bars[..index].contains(bar), "{index}");
        }
    }

    #[test]
    fn a_series_beyond_the_last_has_a_look() {
        assert_eq!(class(9), "series-1");
        assert_eq!(texture(8), None);
    }
}
