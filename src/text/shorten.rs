//! Texts that are shortened to fit, and stay different where they are.
//!
//! In: texts that stand beside one another, and how wide each may be. Out: those texts, with `…` in the place of what is left out. Invariant:
//! texts that differ don't become equal as long as there is room for what tells them apart. Widths are columns of a terminal.

use std::collections::BTreeMap;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What stands in the place of what is left out.
const LEFT_OUT: char = '…';

/// So much of what texts have in common is shown before the place where they differ.
const BEFORE: usize = 6;

/// Shortens a text to a width. What is cut ends in `…`.
pub fn shorten_to_width(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = take_columns(text, width.saturating_sub(1)).to_owned();
    out.push(LEFT_OUT);
    out
}

/// Shortens texts, each to its width. Of those that would look the same, what they have in common is left out in the middle.
pub fn shorten_apart(texts: &[(&str, usize)]) -> Vec<String> {
    let mut shown: Vec<String> = texts.iter().map(|(text, width)| shorten_to_width(text, *width)).collect();
    let mut groups = find_alike(&(0..texts.len()).collect::<Vec<_>>(), &shown, texts);
    while let Some(group) = groups.pop() {
        let members: Vec<&str> =
            group.iter().filter_map(|at| texts.get(*at)).map(|(text, _)| *text).collect();
        let common = common_length(&members);
        for at in &group {
            if let (Some((text, width)), Some(slot)) = (texts.get(*at), shown.get_mut(*at)) {
                *slot = leave_out_middle(text, common, *width);
            }
        }
        // Where that didn't tell any apart, there is no room for what does.
        groups.extend(find_alike(&group, &shown, texts).into_iter().filter(|next| next.len() < group.len()));
    }
    shown
}

/// Groups those that differ and look the same.
fn find_alike(among: &[usize], shown: &[String], texts: &[(&str, usize)]) -> Vec<Vec<usize>> {
    let mut by_look: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in among {
        if let Some(look) = shown.get(*at) {
            by_look.entry(look).or_default().push(*at);
        }
    }
    let text = |at: &usize| texts.get(*at).map(|(text, _)| *text);
    let differs = |group: &Vec<usize>| group.iter().any(|at| text(at) != group.first().and_then(text));
    by_look.into_values().filter(differs).collect()
}

/// Returns how many bytes texts have in common at their beginning.
fn common_length(texts: &[&str]) -> usize {
    let Some((first, others)) = texts.split_first() else { return 0 };
    let with = |other: &&str| {
        let same = first.char_indices().zip(other.chars()).find(|((_, one), two)| one != two);
        same.map_or(first.len().min(other.len()), |((at, _), _)| at)
    };
    others.iter().map(with).min().unwrap_or(0)
}

/// Shows the beginning of a text and what stands around a place in it.
fn leave_out_middle(text: &str, place: usize, width: usize) -> String {
    let least = take_columns(text, width / 3);
    let room = width.saturating_sub(least.width() + 1);
    let before = text.get(..place).unwrap_or_default();
    let shown = before.char_indices().rev().take(BEFORE.min(room / 2)).last();
    let start = shown.map_or(place, |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    if text.width() <= width || start <= least.len() {
        return shorten_to_width(text, width);
    }
    // What the end leaves free, the beginning has.
    let head = take_columns(text, width.saturating_sub(rest.width().min(room) + 1));
    format!("{head}{LEFT_OUT}{}", shorten_to_width(rest, width.saturating_sub(head.width() + 1)))
}

/// Returns the beginning of a text that is no wider than this.
fn take_columns(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, letter)| {
        used += letter.width().unwrap_or(0);
        used > width
    });
    end.map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shorten_all(texts: &[&str], width: usize) -> Vec<String> {
        shorten_apart(&texts.iter().map(|text| (*text, width)).collect::<Vec<_>>())
    }

    #[test]
    fn what_differs_stays_different() {
        let source =
            |version: &str| format!("git::https://example.com/a-long-name/of-modules.git//x?ref={version}");
        let texts =
            [source("v1.2.3"), source("v1.2.4"), source("v2.0.0"), "short".to_owned(), source("v1.2.3")];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for width in [24, 30, 40, 60] {
            let shown = shorten_all(&texts, width);
            assert_eq!(shown[0], shown[4], "{shown:?}");
            assert!(shown[0] != shown[1] && shown[1] != shown[2], "{width}: {shown:?}");
            assert!(shown.iter().all(|one| one.width() <= width), "{width}: {shown:?}");
        }
        assert_eq!(shorten_all(&texts, 40)[1], "git::https://example.com/a-l…?ref=v1.2.4");
    }

    #[test]
    fn the_beginning_is_enough_where_it_differs() {
        assert_eq!(shorten_all(&["abcdefgh", "xyzdefgh"], 5), ["abcd…", "xyzd…"]);
        let umlauts = shorten_all(&["äöüäöüäöü1", "äöüäöüäöü2"], 9);
        assert!(umlauts[0] != umlauts[1] && umlauts[0].ends_with('1'), "{umlauts:?}");
        let prefix = shorten_all(&["aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaab"], 12);
        assert_ne!(prefix[0], prefix[1]);
        assert_eq!(shorten_all(&["", "a"], 0), ["", "…"]);
    }
}
