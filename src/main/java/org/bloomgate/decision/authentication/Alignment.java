package org.bloomgate.decision.authentication;

import java.util.List;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;

/// Decides whether an authenticated domain is aligned with a claimed one, that of the header From or of the envelope
/// (RFC 7489 3.1): both have the same registrable domain and, if they differ, the owner does not require equal
/// names.
record Alignment(PublicSuffixes suffixes, DnsQueries dns) {

    /// The result of comparing two domains. It is unknown if the DNS query for the policy of the owner failed.
    enum Result {
        ALIGNED,
        NOT_ALIGNED,
        UNKNOWN
    }

    /// True if the domains have the same registrable domain. Queries nothing.
    boolean isRelaxed(String authenticatedDomain, String claimedDomain) {
        return authenticatedDomain.equals(claimedDomain)
                || (isName(authenticatedDomain)
                        && isName(claimedDomain)
                        && !suffixes.isPublicSuffix(authenticatedDomain)
                        && !suffixes.isPublicSuffix(claimedDomain)
                        && suffixes.registrable(authenticatedDomain).equals(suffixes.registrable(claimedDomain)));
    }

    private static boolean isName(String text) {
        return DomainName.parse(text).filter(name -> name.text().equals(text)).isPresent();
    }

    /// @param tag of the DMARC record that can require equal names: `adkim` or `aspf`
    Result compare(String authenticatedDomain, String claimedDomain, String tag) {
        if (authenticatedDomain.equals(claimedDomain)) {
            return Result.ALIGNED;
        }
        return isRelaxed(authenticatedDomain, claimedDomain) ? queryPolicy(claimedDomain, tag) : Result.NOT_ALIGNED;
    }

    private Result queryPolicy(String claimedDomain, String tag) {
        DnsReply answer = dns.query("_dmarc." + claimedDomain, RecordType.TXT);
        String registrable = suffixes.registrable(claimedDomain);
        if (!(answer instanceof DnsReply.Failed) && records(answer).size() != 1 && !registrable.equals(claimedDomain)) {
            answer = dns.query("_dmarc." + registrable, RecordType.TXT);
        }
        if (answer instanceof DnsReply.Failed) {
            return Result.UNKNOWN;
        }
        List<String> records = records(answer);
        return records.size() == 1 && isStrict(records.getFirst(), tag) ? Result.NOT_ALIGNED : Result.ALIGNED;
    }

    /// Several records count as none (RFC 7489 6.6.3).
    private static List<String> records(DnsReply answer) {
        return answer instanceof DnsReply.Found found
                ? found.values().stream()
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
