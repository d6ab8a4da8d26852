package org.bloomgate.decision.authentication;

import java.util.List;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.decision.authentication.DnsQueries.Answer;

/// Decides whether an authenticated domain vouches for a named one (RFC 7489 3.1): both have the same registrable
/// domain and, if they differ, the owner does not require equal names.
record Alignment(PublicSuffixes suffixes, DnsQueries dns) {

    /// The result of comparing two domains. It is unknown if the DNS query for the policy of the owner failed.
    enum Result {
        ALIGNED,
        NOT_ALIGNED,
        UNKNOWN
    }

    /// True if the domains have the same registrable domain. Queries nothing.
    boolean isRelaxed(String authenticated, String named) {
        return authenticated.equals(named)
                || (isName(authenticated)
                        && isName(named)
                        && !suffixes.isPublicSuffix(authenticated)
                        && !suffixes.isPublicSuffix(named)
                        && suffixes.registrable(authenticated).equals(suffixes.registrable(named)));
    }

    private static boolean isName(String text) {
        return DomainName.parse(text).filter(name -> name.text().equals(text)).isPresent();
    }

    /// @param tag of the DMARC record that can require equal names: `adkim` or `aspf`
    Result compare(String authenticated, String named, String tag) {
        if (authenticated.equals(named)) {
            return Result.ALIGNED;
        }
        return isRelaxed(authenticated, named) ? queryPolicy(named, tag) : Result.NOT_ALIGNED;
    }

    private Result queryPolicy(String named, String tag) {
        Answer answer = dns.query("_dmarc." + named, DnsQueries.RecordType.TXT);
        String registrable = suffixes.registrable(named);
        if (!(answer instanceof Answer.Unknown) && records(answer).size() != 1 && !registrable.equals(named)) {
            answer = dns.query("_dmarc." + registrable, DnsQueries.RecordType.TXT);
        }
        if (answer instanceof Answer.Unknown) {
            return Result.UNKNOWN;
        }
        List<String> records = records(answer);
        return records.size() == 1 && isStrict(records.getFirst(), tag) ? Result.NOT_ALIGNED : Result.ALIGNED;
    }

    /// Several records count as none (RFC 7489 6.6.3).
    private static List<String> records(Answer answer) {
        return answer instanceof Answer.Found(var texts)
                ? texts.stream()
                        .filter(text -> TextScan.without(text, c -> c == ' ' || c == '\t')
                                        .startsWith("v=DMARC1;")
                                || text.strip().equals("v=DMARC1"))
                        .toList()
                : List.of();
    }

    private static boolean isStrict(String record, String tag) {
        for (String part : TextScan.split(record, c -> c == ';')) {
            int equals = part.indexOf('=');
            if (equals > 0
                    && TextForms.lowerCase(part.substring(0, equals).strip()).equals(tag)) {
                return part.substring(equals + 1).strip().equalsIgnoreCase("s");
            }
        }
        return false;
    }
}
