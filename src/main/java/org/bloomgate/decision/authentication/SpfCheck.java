package org.bloomgate.decision.authentication;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.james.jspf.core.MacroExpand;
import org.apache.james.jspf.executor.SynchronousSPFExecutor;
import org.apache.james.jspf.impl.SPF;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The SPF check (RFC 7208) of MAIL FROM, by jSPF. HELO is never an identity, it only fills macros.
///
/// A record that passes nearly every client proves nothing. After a pass, the same MAIL FROM and HELO are therefore
/// checked from control addresses that send no mail; a record that passes one of them is `too-wide`. Only control
/// addresses of the client's family are used: a record that passes every client passes them too, and the other family
/// would cost further queries for each `a`, `mx` and `exists`. Answers are cached during a check. An unknown answer for
/// a control address changes nothing: the client has passed, whatever becomes of a later term (RFC 7208 4.6.2).
///
/// Used by one thread.
final class SpfCheck {
    /// Shared address space (RFC 6598) and reserved addresses (RFC 1112).
    private static final List<InetAddress> IPV4_CONTROLS =
            List.of(InetAddress.ofLiteral("100.64.0.1"), InetAddress.ofLiteral("240.0.0.1"));

    /// Documentation (RFC 3849).
    private static final List<InetAddress> IPV6_CONTROLS = List.of(InetAddress.ofLiteral("2001:db8::1"));

    /// A local part of 64 bytes, `@`, and a domain of 255 (RFC 5321 4.5.3.1); limits the work of expanding macros.
    static final int MAX_MAIL_FROM_CHARS = 320;

    static final int MAX_HELO_CHARS = 255;

    private static final String UNUSABLE_HELO = "unknown";

    /// The value of an empty local part (RFC 7208 4.3).
    private static final String POSTMASTER = "postmaster";

    /// As written, before Host folds dots and escapes.
    private static final Pattern WRITTEN = Pattern.compile("[^\\s.%\\[\\]:]+(?:\\.[^\\s.%\\[\\]:]+)+");

    private static final Pattern DOMAIN = Pattern.compile("[a-z0-9_-]{1,63}(?:\\.[a-z0-9_-]{1,63})+");

    private final SpfDnsService dns;
    private final SpfTermParser parser;
    private final SPF spf;

    SpfCheck(DnsQueries queries) {
        dns = new SpfDnsService(queries);
        MacroExpand macros = new MacroExpand(dns);
        parser = new SpfTermParser(dns, macros);
        spf = new SPF(dns, parser, macros, new SynchronousSPFExecutor(dns));
        spf.setDefaultExplanation("none");
        parser.checkIncludedWith(spf);
    }

    SpfResult check(InetAddress client, String mailFrom, String helo) {
        Optional<String> domain = domain(mailFrom);
        if (domain.isEmpty()) {
            return new SpfResult(SpfResult.Reason.NONE, "");
        }
        int at = mailFrom.lastIndexOf('@');
        String sender = (at == 0 ? POSTMASTER : mailFrom.substring(0, at)) + "@" + domain.get();
        InetAddress address = IpLiteral.parse(IpLiteral.text(client)).orElse(client);
        String host = helo.length() > MAX_HELO_CHARS ? UNUSABLE_HELO : helo;
        dns.forgetAnswers();
        return new SpfResult(reason(address, sender, host), domain.get());
    }

    private static Optional<String> domain(String mailFrom) {
        int at = mailFrom.lastIndexOf('@');
        String written = mailFrom.substring(at + 1);
        return at < 0
                        || mailFrom.length() > MAX_MAIL_FROM_CHARS
                        || !WRITTEN.matcher(written).matches()
                ? Optional.empty()
                : Host.parse(written)
                        .filter(host -> host.kind() == HostKind.NAME)
                        .map(Host::text)
                        .filter(name -> name.length() <= Host.MAX_NAME_BYTES
                                && DOMAIN.matcher(name).matches());
    }

    private SpfResult.Reason reason(InetAddress client, String sender, String helo) {
        dns.begin(client, false);
        SpfResult.Reason reason = evaluate(client, sender, helo);
        if (reason != SpfResult.Reason.PASS) {
            return reason;
        }
        if (parser.isMatchedNetworkTooWide()) {
            return SpfResult.Reason.TOO_WIDE;
        }
        for (InetAddress control : client instanceof Inet6Address ? IPV6_CONTROLS : IPV4_CONTROLS) {
            dns.begin(control, true);
            if (evaluate(control, sender, helo) == SpfResult.Reason.PASS) {
                return SpfResult.Reason.TOO_WIDE;
            }
        }
        return SpfResult.Reason.PASS;
    }

    /// A fault of jSPF is `permerror`: it depends on the record alone.
    private SpfResult.Reason evaluate(InetAddress client, String sender, String helo) {
        parser.begin(client instanceof Inet6Address);
        try {
            String result = spf.checkSPF(IpLiteral.text(client), sender, helo).getResult();
            return dns.end().orElseGet(() -> SpfResult.Reason.valueOf(TextForms.upperCase(result)));
        } catch (RuntimeException e) {
            return dns.end().orElse(SpfResult.Reason.PERMERROR);
        }
    }
}
