package org.bloomgate.core.key;

import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Escapes;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The lookup keys of a URL: its expressions (host suffix x path prefix, as in Safe Browsing) and the domains
/// of its host. At most 6 x 6 expressions.
///
/// Hosts: the host, and if it is a name, the suffixes of its last five labels down to the registrable domain.
/// Paths: the path with query, without query, `/`, and the first three directories.
public final class UrlExpressions {
    /// As in Safe Browsing. Hides nothing: the host itself and its domains are looked up as well.
    private static final int MAX_SUFFIX_LABELS = 5;

    /// As in Safe Browsing. Hides nothing: the whole path is looked up as well.
    private static final int MAX_DIRECTORIES = 3;

    private UrlExpressions() {}

    /// Appends the URL keys, the most specific first, and the domain keys to the last identifier of the batch.
    public static void append(CanonicalUrl url, PublicSuffixes suffixes, KeyBatch batch) {
        appendExpressions(url, suffixes, batch);
        DomainKeys.append(url.bytes(), url.hostStart(), url.hostEnd(), url.hostKind(), suffixes, batch);
    }

    /// Appends the URL keys only.
    public static void appendExpressions(CanonicalUrl url, PublicSuffixes suffixes, KeyBatch batch) {
        byte[] bytes = url.bytes();
        int hostStart = url.hostStart();
        int hostEnd = url.hostEnd();
        if (url.hostKind() != HostKind.NAME) {
            appendPaths(url, hostStart, batch);
            return;
        }
        int registrable = suffixes.registrableStart(bytes, hostStart, hostEnd);
        if (hostEnd - hostStart <= Host.MAX_NAME_BYTES) {
            appendPaths(url, hostStart, batch);
            appendBetween(url, registrable, batch);
        }
        if (registrable > hostStart) {
            appendPaths(url, registrable, batch);
        }
    }

    /// Appends the suffixes between the host and its registrable domain, of its last five labels.
    private static void appendBetween(CanonicalUrl url, int registrable, KeyBatch batch) {
        byte[] bytes = url.bytes();
        int hostStart = url.hostStart();
        int hostEnd = url.hostEnd();
        int suffix = Math.max(lastLabels(bytes, hostStart, hostEnd), nextLabel(bytes, hostStart, hostEnd));
        for (; suffix < registrable; suffix = nextLabel(bytes, suffix, hostEnd)) {
            appendPaths(url, suffix, batch);
        }
    }

    /// Appends the expressions of one host. The path follows the host, so an expression is one range of the
    /// canonical URL.
    private static void appendPaths(CanonicalUrl url, int hostStart, KeyBatch batch) {
        byte[] bytes = url.bytes();
        boolean wholeHost = hostStart == url.hostStart();
        int pathEnd = url.pathEnd();
        int root = url.hostEnd() + 1;
        append(bytes, hostStart, url.keyEnd(), wholeHost, batch);
        if (pathEnd < url.keyEnd()) {
            append(bytes, hostStart, pathEnd, false, batch);
        }
        if (root < pathEnd) {
            append(bytes, hostStart, root, false, batch);
        }
        int directory = root;
        for (int i = 0; i < MAX_DIRECTORIES; i++) {
            int slash = Escapes.indexOf(bytes, directory, pathEnd, '/');
            if (slash < 0 || slash + 1 == pathEnd) {
                return;
            }
            directory = slash + 1;
            append(bytes, hostStart, directory, false, batch);
        }
    }

    private static void append(byte[] bytes, int from, int to, boolean itself, KeyBatch batch) {
        batch.append(bytes, from, to).endKey(KeyKind.URL, itself);
    }

    /// The start of the last five labels.
    private static int lastLabels(byte[] bytes, int from, int to) {
        int labels = 0;
        for (int start = to; start > from; start--) {
            if (bytes[start - 1] == '.' && ++labels == MAX_SUFFIX_LABELS) {
                return start;
            }
        }
        return from;
    }

    private static int nextLabel(byte[] bytes, int from, int to) {
        int dot = Escapes.indexOf(bytes, from, to, '.');
        return dot < 0 ? to : dot + 1;
    }
}
