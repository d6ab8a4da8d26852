package org.bloomgate.core.url;

import java.util.Collection;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Unwraps the links of services that replace the links of messages by their own. Only forms that [EmbeddedUrl]
/// does not find: encoded ones, and targets without a scheme.
final class LinkRewriters {
    private LinkRewriters() {}

    /// Adds the targets of a link.
    ///
    /// @param known the host of the link in canonical form, if it is known
    static void unwrap(String link, Optional<String> known, Collection<String> targets) {
        int question = link.indexOf('?');
        int end = question < 0 ? link.length() : question;
        int path = EmbeddedUrl.pathStart(link, end);
        String host = known.orElseGet(() -> host(link, path));
        if (host.startsWith("urldefense.")) {
            unwrapUrlDefense(link, path, targets);
        } else if (host.endsWith("safelinks.protection.outlook.com")) {
            parameter(link, "url").ifPresent(targets::add);
        } else if (host.startsWith("google.") || host.contains(".google.")) {
            unwrapGoogle(link, path, targets);
        }
        if (ForeignHosts.isMarked(host, host.length()) || ForeignHosts.isContent(link, path)) {
            ForeignHosts.collect(host, link.substring(path), targets);
        }
    }

    /// The host without port, in canonical form, or in lower case if it has none.
    ///
    /// @param path the start of the path in the link
    private static String host(String link, int path) {
        int fragment = link.indexOf('#');
        String authority = link.substring(0, fragment < 0 ? path : Math.min(path, fragment));
        int start =
                Math.max(Math.max(authority.lastIndexOf('/'), authority.lastIndexOf('\\')), authority.lastIndexOf('@'));
        byte[] bytes = Utf8.of(authority.substring(start + 1));
        String host = Utf8.text(bytes, 0, UrlParser.hostEnd(bytes, 0, bytes.length));
        return Host.parse(host).map(Host::text).orElseGet(() -> TextForms.lowerCase(host));
    }

    /// Adds the target of Proofpoint's links, versions 1 to 3.
    private static void unwrapUrlDefense(String link, int path, Collection<String> targets) {
        if (link.startsWith("/v3/__", path)) {
            UrlDefenseV3.decode(link.substring(path + 6)).ifPresent(targets::add);
        } else if (link.startsWith("/v2/", path)) {
            rawParameter(link, "u")
                    .map(value -> EmbeddedUrl.decode(value.replace('-', '%').replace('_', '/')))
                    .ifPresent(targets::add);
        } else {
            parameter(link, "u").ifPresent(targets::add);
        }
    }

    /// Adds the targets of the redirector `/url?q=` and of `/amp/s/host/path` (https) or `/amp/host/path`, also
    /// of one inside the other.
    private static void unwrapGoogle(String link, int path, Collection<String> targets) {
        if (link.startsWith("/url?", path)) {
            parameter(link, "q").map(LinkRewriters::withoutAmp).ifPresent(targets::add);
            parameter(link, "url").map(LinkRewriters::withoutAmp).ifPresent(targets::add);
        } else if (link.startsWith("/amp/", path)) {
            targets.add(withoutAmp(link.substring(path)));
        }
    }

    private static String withoutAmp(String target) {
        int page = target.startsWith("/") ? 1 : 0;
        if (target.startsWith("amp/s/", page)) {
            return "https://" + target.substring(page + "amp/s/".length());
        }
        return target.startsWith("amp/", page) ? "http://" + target.substring(page + "amp/".length()) : target;
    }

    private static Optional<String> parameter(String link, String name) {
        return rawParameter(link, name).map(EmbeddedUrl::decode);
    }

    private static Optional<String> rawParameter(String link, String name) {
        int question = link.indexOf('?');
        if (question < 0) {
            return Optional.empty();
        }
        for (String pair : TextScan.split(link.substring(question + 1), c -> "&;#".indexOf(c) >= 0)) {
            String value = pair.startsWith("amp;") ? pair.substring(4) : pair;
            if (value.startsWith(name + '=') && value.length() > name.length() + 1) {
                return Optional.of(value.substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }
}
