package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.james.mime4j.stream.NameValuePair;
import org.bloomgate.content.links.PercentDecoding;
import org.bloomgate.core.text.TextForms;

/// A parameter of a header field, also where RFC 2231 lets it be coded (`name*=utf-8''a%20b`) or cut into pieces
/// (`name*0=a; name*1=b`). Without that a boundary in two pieces hides every part of a message.
final class FieldParameter {
    private FieldParameter() {}

    /// The value of a parameter; empty if there is none. The plain form takes precedence over the encoded one,
    /// and that over pieces.
    ///
    /// @param name in lower case
    static String of(List<NameValuePair> parameters, String name) {
        String plain = "";
        Map<String, String> pieces = new HashMap<>();
        for (NameValuePair parameter : parameters) {
            String found = parameter.getName() == null
                    ? ""
                    : TextForms.lowerCase(parameter.getName().strip());
            String value =
                    parameter.getValue() == null ? "" : parameter.getValue().strip();
            if (found.equals(name)) {
                plain = value;
            } else if (found.startsWith(name) && found.charAt(name.length()) == '*') {
                pieces.put(found.substring(name.length()), value);
            }
        }
        return plain.isEmpty() && !pieces.isEmpty() ? joined(pieces) : plain;
    }

    /// @param pieces by what follows the name: `*`, `*0`, `*1*`, ...
    private static String joined(Map<String, String> pieces) {
        String whole = pieces.get("*");
        if (whole != null) {
            return decoded(whole, true);
        }
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < pieces.size(); i++) {
            String plain = pieces.get("*" + i);
            String coded = pieces.get("*" + i + "*");
            if (plain == null && coded == null) {
                break;
            }
            joined.append(coded == null ? plain : decoded(coded, i == 0));
        }
        return joined.toString();
    }

    /// Only ASCII is needed here, whatever the charset.
    private static String decoded(String coded, boolean first) {
        int language = first ? coded.indexOf('\'') : -1;
        int text = language < 0 ? -1 : coded.indexOf('\'', language + 1);
        return new String(PercentDecoding.bytes(coded.substring(text + 1), '%'), StandardCharsets.ISO_8859_1);
    }
}
