package org.bloomgate.lists.fetch;

import java.util.regex.Pattern;

/// The address of a feed as reports, logs and manifests show it: without user name, password and the values of
/// the query, which often contain keys.
///
/// A secret in the path cannot be recognised and is shown; it should be configured as `auth` of the feed.
public final class MaskedAddress {
    private static final Pattern USER = Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*@");
    private static final Pattern VALUE = Pattern.compile("([?&;][^=&;#]*=)[^&;#]*");
    private static final Pattern BARE = Pattern.compile("([?&;])([^=&;#]+)(?=[&;#]|$)");

    private MaskedAddress() {}

    /// @param address of a web server; a path is left as it is
    public static String of(String address) {
        if (!FeedFetcher.isWeb(address) && !address.contains("://")) {
            return address;
        }
        int query = address.indexOf('?');
        int fragment = address.indexOf('#');
        int end = fragment < 0 ? address.length() : fragment;
        String place = USER.matcher(address.substring(0, query < 0 || query > end ? end : query))
                .replaceFirst("$1//***@");
        if (query < 0 || query > end) {
            return place;
        }
        String values = BARE.matcher(address.substring(query, end)).replaceAll("$1***");
        return place + VALUE.matcher(values).replaceAll("$1***");
    }
}
