package org.bloomgate.content.links;

/// Resolves relative references as far as lookups need it: dots in the path are resolved by the canonical form.
public final class RelativeLink {
    private RelativeLink() {}

    /// @param base an absolute URL; otherwise the reference is returned unchanged
    static String resolve(String base, String reference) {
        int authority = endOfSchemeAndSlashes(base);
        if (authority < 0) {
            return reference;
        }
        int path = indexOfAny(base, "/\\?#", authority);
        if (!reference.isEmpty() && RawLinks.isSlash(reference.charAt(0))) {
            return base.substring(0, path) + reference;
        }
        int query = indexOfAny(base, "?#", path);
        if (reference.startsWith("?")) {
            return base.substring(0, query) + reference;
        }
        int directory = Math.max(base.lastIndexOf('/', query - 1), base.lastIndexOf('\\', query - 1));
        return directory < path
                ? base.substring(0, path) + '/' + reference
                : base.substring(0, directory + 1) + reference;
    }

    /// Whether the URL is absolute, and so can be a base.
    public static boolean isAbsolute(String base) {
        return endOfSchemeAndSlashes(base) >= 0;
    }

    private static int endOfSchemeAndSlashes(String base) {
        int colon = base.indexOf(':');
        int i = colon + 1;
        while (i < base.length() && RawLinks.isSlash(base.charAt(i))) {
            i++;
        }
        return i > colon + 1 || colon > 0 ? i : -1;
    }

    private static int indexOfAny(String text, String any, int from) {
        for (int i = from; i < text.length(); i++) {
            if (any.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }
}
