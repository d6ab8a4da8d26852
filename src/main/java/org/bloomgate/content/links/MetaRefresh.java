package org.bloomgate.content.links;

import java.util.Optional;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.Vocabulary;

/// Finds the target of `<meta http-equiv=refresh>` by the steps of the HTML Living Standard (4.2.5.3, "shared
/// declarative refresh steps"): `0; http://a.example/`, `0,url='..'`, `.5 http:..`. A later `url=` is part of
/// the URL before it. Browsers ignore a refresh without a time, but some mail clients are less strict, so its
/// first `url=` counts.
final class MetaRefresh {
    private final char[] value;
    private final int to;
    private int at;

    private MetaRefresh(char[] value, int from, int to) {
        this.value = value;
        this.at = from;
        this.to = to;
    }

    /// Positions of the target in the content.
    record Target(int from, int to) {}

    static Optional<Target> target(char[] value, int from, int to) {
        MetaRefresh refresh = new MetaRefresh(value, from, to);
        return refresh.passTime() ? Optional.of(refresh.afterTime()) : withoutTime(value, from, to);
    }

    private static Optional<Target> withoutTime(char[] value, int from, int to) {
        for (int i = from; i + 3 < to; i++) {
            if (Vocabulary.startsWithIgnoringCase(value, i, to, "url")) {
                MetaRefresh refresh = new MetaRefresh(value, i, to);
                if (refresh.passName()) {
                    return Optional.of(refresh.quoted());
                }
            }
        }
        return Optional.empty();
    }

    /// False if the content is not a refresh, or has no target.
    private boolean passTime() {
        passSpace();
        int time = at;
        while (at < to && (isDigit() || value[at] == '.')) {
            at++;
        }
        if (at == time || at == to || !isSeparator()) {
            return false;
        }
        passSpace();
        if (at < to && isSeparator()) {
            at++;
            passSpace();
        }
        return at < to;
    }

    private Target afterTime() {
        int url = at;
        boolean named = (value[at] | 0x20) != 'u' || passName();
        return named ? quoted() : new Target(url, to);
    }

    /// Skips `url=`; false if there is something else.
    private boolean passName() {
        if (!Vocabulary.startsWithIgnoringCase(value, at, to, "url")) {
            return false;
        }
        at += 3;
        passSpace();
        if (at == to || value[at] != '=') {
            return false;
        }
        at++;
        passSpace();
        return true;
    }

    /// The target, up to the closing quote if it begins with a quote.
    private Target quoted() {
        if (at == to || (value[at] != '"' && value[at] != '\'')) {
            return new Target(at, to);
        }
        char quote = value[at++];
        int end = at;
        while (end < to && value[end] != quote) {
            end++;
        }
        return new Target(at, end);
    }

    private void passSpace() {
        while (at < to && HtmlTokenizer.isSpace(value[at])) {
            at++;
        }
    }

    private boolean isDigit() {
        return value[at] >= '0' && value[at] <= '9';
    }

    private boolean isSeparator() {
        return value[at] == ';' || value[at] == ',' || HtmlTokenizer.isSpace(value[at]);
    }
}
