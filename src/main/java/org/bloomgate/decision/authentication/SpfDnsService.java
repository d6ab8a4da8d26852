package org.bloomgate.decision.authentication;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.apache.james.jspf.core.DNSRequest;
import org.apache.james.jspf.core.DNSService;
import org.apache.james.jspf.core.exceptions.TimeoutException;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lookup.dns.DnsQuestion;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.jspecify.annotations.Nullable;

/// The DNS as jSPF queries it, with the bounds of RFC 7208 4.6.4 that jSPF does not enforce. The first bound that is
/// exceeded, or the first answer that is unknown, ends an evaluation: jSPF gets timeouts from then on, and [#end()]
/// overrides its result.
final class SpfDnsService implements DNSService {
    static final int MAX_VOID_LOOKUPS = 2;

    /// The number of names of one `mx` or `ptr`.
    static final int MAX_LISTED_NAMES = 10;

    /// Other TXT records may have any content.
    private static final Pattern SPF_RECORD = Pattern.compile("(?is)v=spf1(?: .*)?");

    private final DnsQueries queries;
    private final Map<DnsQuestion, DnsReply> answers = new HashMap<>();
    private InetAddress client = InetAddress.getLoopbackAddress();
    private boolean control;
    private int voidLookups;
    private Optional<SpfResult.Reason> end = Optional.empty();

    SpfDnsService(DnsQueries queries) {
        this.queries = queries;
    }

    void forgetAnswers() {
        answers.clear();
    }

    /// Starts an evaluation.
    ///
    /// @param control of a control address, whose reverse zone is not queried
    void begin(InetAddress client, boolean control) {
        this.client = client;
        this.control = control;
        voidLookups = 0;
        end = Optional.empty();
    }

    /// Why the evaluation ended early; empty if it did not.
    Optional<SpfResult.Reason> end() {
        return end;
    }

    /// The records as a list that jSPF may change, or null if there are none.
    @Override
    public @Nullable List<String> getRecords(DNSRequest request) throws TimeoutException {
        List<String> records = records(request.getHostname(), request.getRecordType());
        return records.isEmpty() ? null : new ArrayList<>(records);
    }

    private List<String> records(String name, int type) throws TimeoutException {
        return switch (type) {
            case DNSRequest.A -> lookup(name, RecordType.A);
            case DNSRequest.AAAA -> lookup(name, RecordType.AAAA);
            case DNSRequest.MX -> mailHosts(name);
            case DNSRequest.PTR -> reverseNames(name);
            case DNSRequest.TXT -> policies(name);
            default -> List.of();
        };
    }

    /// The policy of a domain is not a void lookup: without one there is a result at once.
    private List<String> policies(String name) throws TimeoutException {
        return values(name, RecordType.TXT).stream()
                .filter(text -> SPF_RECORD.matcher(text).matches())
                .toList();
    }

    /// The names of the client that resolve to its address. jSPF expands `%{p}` to the first, or to `unknown`.
    private List<String> reverseNames(String name) throws TimeoutException {
        List<String> found = new ArrayList<>();
        if (!control) {
            for (String host : lookup(name, RecordType.PTR).stream()
                    .limit(MAX_LISTED_NAMES)
                    .toList()) {
                if (addresses(host).stream().map(IpLiteral::parse).anyMatch(Optional.of(client)::equals)) {
                    found.add(TextForms.lowerCase(host));
                }
            }
        }
        return found;
    }

    /// The mail hosts that have an address. jSPF queries all of them anyway, and if none had one it would take
    /// the hosts of the next `mx` for addresses.
    private List<String> mailHosts(String name) throws TimeoutException {
        List<String> hosts = lookup(name, RecordType.MX);
        if (hosts.size() > MAX_LISTED_NAMES) {
            throw end(SpfResult.Reason.PERMERROR);
        }
        List<String> found = new ArrayList<>();
        for (String host : hosts) {
            String exchange = host.substring(host.indexOf(' ') + 1);
            boolean isNullMx = exchange.isEmpty() || exchange.equals(".");
            if (!isNullMx && !addresses(exchange).isEmpty()) {
                found.add(exchange);
            }
        }
        return found;
    }

    private List<String> addresses(String host) throws TimeoutException {
        return lookup(host, client instanceof Inet6Address ? RecordType.AAAA : RecordType.A);
    }

    private List<String> lookup(String name, RecordType type) throws TimeoutException {
        List<String> values = values(name, type);
        if (values.isEmpty() && ++voidLookups > MAX_VOID_LOOKUPS) {
            throw end(SpfResult.Reason.PERMERROR);
        }
        return values;
    }

    private List<String> values(String name, RecordType type) throws TimeoutException {
        if (end.isPresent()) {
            throw new TimeoutException(name);
        }
        String absolute = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        DnsQuestion question = DnsQuestion.of(TextForms.lowerCase(absolute), type);
        return switch (answers.computeIfAbsent(question, this::query)) {
            case DnsReply.Found found -> found.values();
            case DnsReply.Absent _ -> List.of();
            case DnsReply.Failed failed -> throw end(SpfResult.Reason.of(failed.cause()));
        };
    }

    /// No name in the DNS has a local part beyond ASCII (RFC 6531).
    private DnsReply query(DnsQuestion question) {
        boolean isAscii = question.name().chars().allMatch(c -> c < 0x80);
        return isAscii ? queries.query(question.name(), question.type()) : new DnsReply.Absent(Duration.ZERO);
    }

    private TimeoutException end(SpfResult.Reason reason) {
        end = Optional.of(reason);
        return new TimeoutException(reason.label());
    }

    @Override
    public CompletionStage<List<String>> getRecordsAsync(DNSRequest request) {
        throw new UnsupportedOperationException("the executor is synchronous");
    }

    @Override
    public List<String> getLocalDomainNames() {
        return List.of();
    }

    @Override
    public void setTimeOut(int timeOut) {}

    @Override
    public int getRecordLimit() {
        return 0;
    }

    @Override
    public void setRecordLimit(int recordLimit) {}
}
