package org.bloomgate.content.links;

import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.AsciiSet;

/// Finds host names without a scheme (`evil.example/login`): runs of labels that end in a known top-level
/// domain. Prose has many of them (`sign.in`, `agent.pm`), so they have a place of their own; file names are
/// ignored.
///
/// Linear: every character is read a bounded number of times.
final class SchemelessHosts {
    /// The ASCII characters of a label, without the hyphen.
    private static final AsciiSet LABEL = AsciiSet.lettersDigitsAnd("_");

    /// Top-level domains that are far more often endings of file names.
    private static final int[] FILE_ENDINGS = packed("py pm sh md rs so ps zip mov bat cab map java app bz");

    /// The longest file ending. Hides nothing: a longer ending is a top-level domain.
    private static final int MAX_ENDING_CHARS = Integer.BYTES;

    /// The longest name of DNS. Hides nothing: a longer one has no address.
    private static final int MAX_HOST_CHARS = 253;

    private static final int SHORTEST_TOP_LEVEL = 2;

    private static final String[] SCHEMES = {"https", "http", "ftp", "hxxps", "hxxp"};

    /// The length of `/24`. Hides nothing: an address with a short number after it is a network.
    private static final int MAX_PREFIX_CHARS = 3;

    private final KeyExtractor keys;

    SchemelessHosts(KeyExtractor keys) {
        this.keys = keys;
    }

    void read(char[] text, int from, int to, TextPlaces places) {
        int i = from + 1;
        int endOfLast = from;
        while (i < to - 1) {
            if (!isDot(text[i]) || !isLabelChar(text[i - 1]) || !isLabelChar(text[i + 1])) {
                i++;
                continue;
            }
            if (keys.ended()) {
                return;
            }
            int start = i;
            while (start > endOfLast && isHostChar(text[start - 1])) {
                start--;
            }
            int end = i;
            while (end < to && isHostChar(text[end])) {
                end++;
            }
            endOfLast = run(text, from, start, end, to, places);
            i = endOfLast + 1;
        }
    }

    /// Reads a run of labels as a whole, and its ASCII parts on their own, because in scripts without blanks a
    /// host and the words around it are one run.
    ///
    /// @return where to continue
    private int run(char[] text, int from, int start, int end, int to, TextPlaces places) {
        int behind = end;
        int i = start;
        while (i < end) {
            int part = i;
            while (i < end && text[i] < 0x80) {
                i++;
            }
            if (i > part) {
                behind = Math.max(behind, candidate(text, from, part, i, to, places));
            }
            while (i < end && text[i] >= 0x80) {
                i++;
            }
        }
        if (!isAscii(text, start, end)) {
            candidate(text, from, start, end, to, places);
        }
        return behind;
    }

    private int candidate(char[] text, int from, int first, int last, int to, TextPlaces places) {
        int start = first;
        int end = last;
        while (start < end && !isLabelChar(text[start])) {
            start++;
        }
        while (end > start && !isLabelChar(text[end - 1])) {
            end--;
        }
        int behind = end == last ? endOfPath(text, end, to) : end;
        boolean bare = behind == end;
        boolean address = !bare && isAddressWithPath(text, start, end, behind);
        if (end - start > MAX_HOST_CHARS || !(address || isHost(text, start, end, bare, keys.suffixes()))) {
            return end;
        }
        boolean www = Vocabulary.startsWithIgnoringCase(text, start, end, "www.");
        int scheme = scheme(text, from, start);
        boolean link = www || scheme < start || (!bare && isEnclosed(text, from, start, behind, to));
        Place place = link ? places.links() : places.hosts();
        keys.url(text, scheme, behind, place, places.where(place));
        return behind;
    }

    /// True for `<evil.example/x>`, the delimiters of RFC 3986 C, and for `\\evil.example\share`, which
    /// Outlook links.
    private static boolean isEnclosed(char[] text, int from, int start, int behind, int to) {
        if (start - from >= 2 && text[start - 1] == '\\' && text[start - 2] == '\\') {
            return true;
        }
        return start > from && text[start - 1] == '<' && behind < to && text[behind] == '>';
    }

    /// The start of a scheme with unusual slashes before the host (`http:\\`, `http:/`); otherwise `host`.
    private static int scheme(char[] text, int from, int host) {
        int colon = host - 1;
        while (colon >= from && RawLinks.isSlash(text[colon])) {
            colon--;
        }
        if (colon < from || text[colon] != ':') {
            return host;
        }
        for (String scheme : SCHEMES) {
            int start = colon - scheme.length();
            if (start >= from && Vocabulary.startsWithIgnoringCase(text, start, colon, scheme)) {
                return start;
            }
        }
        return host;
    }

    /// The end of the port, path and query at `from`, without the punctuation of the sentence around it.
    private static int endOfPath(char[] text, int from, int to) {
        int i = from;
        if (i < to && text[i] == ':') {
            int digits = i + 1;
            while (digits < to && text[digits] >= '0' && text[digits] <= '9') {
                digits++;
            }
            i = digits > i + 1 ? digits : i;
        }
        boolean share = i < to && text[i] == '\\';
        if (i == to || (text[i] != '/' && text[i] != '?' && !share)) {
            return i > from && text[i - 1] != ':' ? i : from;
        }
        while (i < to && !endsPath(text[i])) {
            i++;
        }
        while (i > from && ".,;:!?)]}'".indexOf(text[i - 1]) >= 0) {
            i--;
        }
        int rule = i;
        while (rule > from && (text[rule - 1] == '-' || text[rule - 1] == '=')) {
            rule--;
        }
        return i - rule < TextLinks.SHORTEST_RULE ? i : rule;
    }

    private static boolean endsPath(char c) {
        return c <= ' ' || c == '"' || c == '<' || c == '>' || c == '`' || c == '\u00a0' || c == '\u3000' || c == 0x7f;
    }

    /// Whether a relative reference begins with a host name under a known top-level domain.
    static boolean startsWithHost(String link, PublicSuffixes suffixes) {
        int end = 0;
        while (end < link.length() && isHostChar(link.charAt(end))) {
            end++;
        }
        boolean bare = end == link.length();
        boolean ended = bare || "/:?#\\".indexOf(link.charAt(end)) >= 0;
        return ended && end <= MAX_HOST_CHARS && isHost(link.toCharArray(), 0, end, bare, suffixes);
    }

    private static boolean isHost(char[] text, int start, int end, boolean bare, PublicSuffixes suffixes) {
        int dot = end - 1;
        while (dot > start && !isDot(text[dot])) {
            dot--;
        }
        if (dot <= start || end - dot <= SHORTEST_TOP_LEVEL || isDigit(text[end - 1])) {
            return false;
        }
        return suffixes.lists(text, dot + 1, end)
                && !(bare && isFileEnding(text, dot + 1, end) && !containsDot(text, start, dot));
    }

    private static boolean isFileEnding(char[] text, int from, int to) {
        if (to - from > MAX_ENDING_CHARS) {
            return false;
        }
        int top = packed(text, from, to);
        boolean found = false;
        for (int ending : FILE_ENDINGS) {
            found |= ending == top;
        }
        return found;
    }

    private static int[] packed(String endings) {
        return TextScan.split(endings, c -> c == ' ').stream()
                .mapToInt(ending -> packed(ending.toCharArray(), 0, ending.length()))
                .toArray();
    }

    /// ASCII letters, in lower case, as one number.
    private static int packed(char[] text, int from, int to) {
        int packed = 0;
        for (int i = from; i < to; i++) {
            packed = packed << Byte.SIZE | Vocabulary.lower(text[i]);
        }
        return packed;
    }

    /// Whether this is an address with a path, `192.0.2.1/abc`. Four numbers without a path are a version, and
    /// with a short number after a slash a network.
    private static boolean isAddressWithPath(char[] text, int start, int end, int behind) {
        int dots = 0;
        for (int i = start; i < end; i++) {
            if (text[i] != '.' && !isDigit(text[i])) {
                return false;
            }
            dots += text[i] == '.' ? 1 : 0;
        }
        boolean network = behind - end <= MAX_PREFIX_CHARS && isDigit(text[behind - 1]);
        return dots == 3 && !network;
    }

    private static boolean containsDot(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (isDot(text[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAscii(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHostChar(char c) {
        return isLabelChar(c) || c == '-' || isDot(c);
    }

    private static boolean isLabelChar(char c) {
        return c < 0x80 ? LABEL.has(c) : Character.isLetterOrDigit(c) || isMarkOrSymbol(c);
    }

    /// Emoji count, because some registries accept them.
    private static boolean isMarkOrSymbol(char c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.OTHER_SYMBOL || type == Character.SURROGATE;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /// The full stop, and the ideographic, fullwidth and halfwidth ones that UTS 46 maps to it.
    private static boolean isDot(char c) {
        return c == '.' || (c >= '\u3002' && (c == '\u3002' || c == '\uff0e' || c == '\uff61'));
    }
}
