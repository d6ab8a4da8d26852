package org.bloomgate.lookup.dnsbl;

import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lookup.dns.DnsReply;

/// The name of a zone, which may contain the operator's secret key. Its text is the template,
/// `{key}.zen.dq.example`: the secret is added when a query is encoded, and is never shown.
///
/// @param template in lower case, without a final dot
/// @param secret replaces `{key}`; empty if the template has no `{key}`, or if the secret could not be read
/// @param fault why it could not be read; empty if it could
public record ZoneName(String template, String secret, String fault) {
    /// The place of the secret in a template.
    public static final String KEY = "{key}";

    /// A label (RFC 1035 2.3.1); upper and lower case are kept.
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?");

    /// A zone without a secret.
    public static ZoneName of(String name) {
        return new ZoneName(name, "", "");
    }

    /// A zone with a secret.
    ///
    /// @param from where it was read, for the fault
    public static ZoneName of(String template, String secret, String from) {
        return LABEL.matcher(secret).matches()
                ? new ZoneName(template, secret, "")
                : withoutKey(template, "no key: " + from + " is empty or is not one label of a name");
    }

    /// A zone that cannot be queried.
    public static ZoneName withoutKey(String template, String fault) {
        return new ZoneName(template, "", fault);
    }

    /// The name in queries, with the secret.
    String toQueryName() {
        return template.replace(KEY, secret);
    }

    /// The text without the secret, in whatever case it is.
    String masked(String text) {
        return secret.isEmpty()
                ? text
                : Pattern.compile(Pattern.quote(secret), Pattern.CASE_INSENSITIVE)
                        .matcher(text)
                        .replaceAll(KEY.replace("{", "\\{"));
    }

    /// The same, with the reason of a failure as one of a zone and without the secret.
    DnsReply ofZone(DnsReply reply) {
        return reply instanceof DnsReply.Failed(DnsReply.Cause cause, String reason)
                ? new DnsReply.Failed(cause, "zone " + masked(reason))
                : reply;
    }

    /// The template.
    @Override
    public String toString() {
        return template;
    }

    /// Whether the name is that of a service that requires a key in it.
    public static boolean needsKey(String zone) {
        return TextForms.lowerCase(zone).endsWith(".dq.spamhaus.net") && !zone.contains(KEY);
    }
}
