package org.bloomgate.feed;

/// What stands in feeds of URLs, with the damage of its way undone: `&amp;` of a web page, `hxxp` and `[.]` of a
/// report.
final class UrlEntry {
    private UrlEntry() {}

    static ParsedLine parse(String value) {
        if (value.startsWith("/") && !value.startsWith("//")) {
            return new ParsedLine.Unreadable("a path without a host");
        }
        String url = value.replace("[.]", ".").replace("&amp;", "&");
        return ParsedLine.value(url.regionMatches(true, 0, "hxxp", 0, 4) ? "http" + url.substring(4) : url);
    }
}
