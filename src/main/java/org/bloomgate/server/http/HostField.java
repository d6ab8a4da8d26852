package org.bloomgate.server.http;

import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.url.DomainName;

/// An element of `http.hosts`: the name that a `Host` field has before its port.
///
/// @param text in lower case; an IPv6 address in brackets
public record HostField(String text) {

    /// @throws IllegalArgumentException if no `Host` field can have this value
    public static HostField of(String text) {
        String name = TextForms.lowerCase(text.strip());
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        if (bracketed && IpLiteral.parse(name.substring(1, name.length() - 1)).isPresent()) {
            return new HostField(name);
        }
        if (IpLiteral.parse(name).isPresent()) {
            return new HostField(name.contains(":") ? "[" + name + "]" : name);
        }
        return DomainName.parse(name)
                .map(domain -> new HostField(domain.text()))
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not the name of a host; write it without scheme, port and path"));
    }

    @Override
    public String toString() {
        return text;
    }
}
