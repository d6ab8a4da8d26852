package org.bloomgate.decision.authentication;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.DomainName;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;

/// Decides whether an authenticated domain is aligned with a claimed one, that of the header From or of the envelope
/// (RFC 9989): both have the same organizational domain, found by walks up the DNS tree, and, if they differ, the owner
/// does not require equal names.
///
/// Names without a common registrable domain of the public suffix list are never aligned, and nothing is queried for
/// them. If there is no DMARC record at all, DMARC does not apply, and the list alone decides. Used by one thread.
final class Alignment {
    /// The queries of one walk: for the name, and for its ancestors of at most seven labels.
    static final int MAX_QUERIES = 8;

    private final PublicSuffixes suffixes;
    private final DnsQueries dns;
    private final Map<String, DnsReply> replies = new HashMap<>();

    /// The result of comparing two domains. It is unknown if a DNS query failed.
    enum Result {
        ALIGNED,
        NOT_ALIGNED,
        UNKNOWN;

        /// The result for a name that may have either domain.
        Result or(Result other) {
            return this == ALIGNED || other == NOT_ALIGNED ? this : other;
        }
    }

    /// @param policy the record that applies to the name; empty if the walk found none
    private record Walk(String organizationalDomain, Optional<DkimTags> policy) {}

    Alignment(PublicSuffixes suffixes, DnsQueries dns) {
        this.suffixes = suffixes;
        this.dns = dns;
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
        if (!isRelaxed(authenticatedDomain, claimedDomain)) {
            return Result.NOT_ALIGNED;
        }
        Optional<Walk> claimed = walk(claimedDomain);
        if (claimed.isEmpty()) {
            return Result.UNKNOWN;
        }
        Optional<DkimTags> policy = claimed.get().policy();
        if (policy.isPresent() && policy.get().get(tag, "r").equals("s")) {
            return Result.NOT_ALIGNED;
        }
        return walk(authenticatedDomain)
                .map(walk -> (policy.isEmpty() && walk.policy().isEmpty())
                                || walk.organizationalDomain()
                                        .equals(claimed.get().organizationalDomain())
                        ? Result.ALIGNED
                        : Result.NOT_ALIGNED)
                .orElse(Result.UNKNOWN);
    }

    /// Queries a name and its ancestors (RFC 9989 4.10), each name once for all walks.
    ///
    /// @return empty if a query failed
    private Optional<Walk> walk(String start) {
        List<String> labels = TextScan.split(start, c -> c == '.');
        SequencedMap<String, DkimTags> records = new LinkedHashMap<>();
        String organizationalDomain = start;
        String psd = "";
        int left = labels.size();
        while (left > 0 && !psd.equals("y") && !psd.equals("n")) {
            String name = lastLabels(labels, left);
            DnsReply reply = replies.computeIfAbsent(name, asked -> dns.query("_dmarc." + asked, RecordType.TXT));
            if (reply instanceof DnsReply.Failed) {
                return Optional.empty();
            }
            Optional<DkimTags> record = record(reply);
            if (record.isPresent()) {
                records.put(name, record.get());
                psd = record.get().get("psd", "");
                boolean isSuffix = psd.equals("y") && left < labels.size();
                organizationalDomain = isSuffix ? lastLabels(labels, left + 1) : name;
            }
            left = Math.min(left, MAX_QUERIES) - 1;
        }
        return Optional.of(new Walk(organizationalDomain, policy(records, start, organizationalDomain)));
    }

    private static String lastLabels(List<String> labels, int count) {
        return String.join(".", labels.subList(labels.size() - count, labels.size()));
    }

    /// The record of the name, else of its organizational domain, else of its public suffix (RFC 9989 4.10.1).
    private static Optional<DkimTags> policy(
            SequencedMap<String, DkimTags> records, String start, String organizationalDomain) {
        return Optional.ofNullable(records.get(start))
                .or(() -> Optional.ofNullable(records.get(organizationalDomain)))
                .or(() -> records.isEmpty()
                        ? Optional.empty()
                        : Optional.of(records.lastEntry().getValue()));
    }

    /// Several records count as none. Names and values of tags, other than the version, are in lower case.
    private static Optional<DkimTags> record(DnsReply reply) {
        List<String> records = reply instanceof DnsReply.Found found
                ? found.values().stream().filter(Alignment::isRecord).toList()
                : List.of();
        return records.size() == 1
                ? Optional.of(new DkimTags(TextForms.lowerCase(records.getFirst())))
                : Optional.empty();
    }

    private static boolean isRecord(String text) {
        DkimTags first = new DkimTags(TextScan.split(text, c -> c == ';', 2).getFirst());
        return first.get("v", first.get("V", "")).equals("DMARC1");
    }
}
