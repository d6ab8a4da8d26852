package org.bloomgate.decision.authentication;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.jspf.core.DNSLookupContinuation;
import org.apache.james.jspf.core.DNSRequest;
import org.apache.james.jspf.core.DNSServiceEnabled;
import org.apache.james.jspf.core.MacroExpand;
import org.apache.james.jspf.core.MacroExpandEnabled;
import org.apache.james.jspf.core.SPF1Record;
import org.apache.james.jspf.core.SPFCheckEnabled;
import org.apache.james.jspf.core.SPFChecker;
import org.apache.james.jspf.core.SPFRecordParser;
import org.apache.james.jspf.core.SPFSession;
import org.apache.james.jspf.core.exceptions.NeutralException;
import org.apache.james.jspf.core.exceptions.NoneException;
import org.apache.james.jspf.core.exceptions.PermErrorException;
import org.apache.james.jspf.core.exceptions.TempErrorException;
import org.apache.james.jspf.impl.DefaultTermsFactory;
import org.apache.james.jspf.parser.RFC4408SPF1Parser;
import org.apache.james.jspf.terms.AMechanism;
import org.apache.james.jspf.terms.Directive;
import org.apache.james.jspf.terms.ExpModifier;
import org.apache.james.jspf.terms.Mechanism;
import org.apache.james.jspf.terms.RedirectModifier;
import org.apache.james.jspf.wiring.WiringServiceTable;
import org.bloomgate.core.text.TextScan;
import org.jspecify.annotations.Nullable;

/// Parses SPF records with jSPF's parser and corrects its errors: a syntax error that jSPF finds only when it evaluates
/// a term is found at once, an explanation is not queried, and a record without directives is neutral in an include
/// too. Observes the width of the networks that match.
final class SpfTermParser implements SPFRecordParser {
    /// A name of 255 characters, and what is before and after it. jSPF's patterns take quadratic time and a stack
    /// frame for each character.
    static final int MAX_TERM_CHARS = 300;

    /// The number of macros in one term. jSPF takes quadratic time to shorten the expansion of many.
    static final int MAX_MACROS = 10;

    static final int MIN_IPV4_BITS = 8;
    static final int MIN_IPV6_BITS = 20;

    /// The result of a record in which no directive matches (RFC 7208 4.7).
    private static final String DEFAULT = "?all";

    private static final String NOT_PASSING = "-~?";

    private static final Pattern MODIFIER = Pattern.compile("[a-z][a-z0-9_.-]*=.*");

    /// Macros of explanations, and the transformer 0 (RFC 7208 7.1).
    private static final Pattern INVALID_MACRO = Pattern.compile("%\\{(?:[crtCRT]|[a-zA-Z]0+[^0-9])");

    private static final Pattern CIDR = Pattern.compile("(?:/(\\d+))?(?://(\\d+))?$");

    private static final Pattern LEADING_ZERO = Pattern.compile("/0\\d+(?://\\d+)?$");

    private static final Pattern HOST = Pattern.compile("[+?~-]?a(?::(.+?))?(?:/\\d+)?(?://\\d+)?");

    private static final String MACRO = "%{";
    private static final String CURRENT_DOMAIN = "%{d}";

    private static final boolean DOMAIN = MacroExpand.DOMAIN;

    /// An attribute of jSPF's sessions.
    private static final String IS_IPV4 = "AMechanism.ipv4check";

    private final MacroExpand macros;
    private final WiringServiceTable wiring = new WiringServiceTable();
    private final RFC4408SPF1Parser parser;
    private boolean ipv6;
    private boolean isMatchedNetworkTooWide;

    SpfTermParser(SpfDnsService dns, MacroExpand macros) {
        this.macros = macros;
        wiring.put(DNSServiceEnabled.class, dns);
        wiring.put(MacroExpandEnabled.class, macros);
        parser = new RFC4408SPF1Parser(new DefaultTermsFactory(wiring));
    }

    /// Must be called before a record is parsed.
    void checkIncludedWith(SPFChecker checker) {
        wiring.put(SPFCheckEnabled.class, checker);
    }

    /// Starts an evaluation.
    void begin(boolean ofIpv6Client) {
        ipv6 = ofIpv6Client;
        isMatchedNetworkTooWide = false;
    }

    /// True if a directive that led to `pass` has a wider network than /8 (IPv6 /20).
    boolean isMatchedNetworkTooWide() {
        return isMatchedNetworkTooWide;
    }

    @Override
    public SPF1Record parse(String record) throws PermErrorException, NoneException, NeutralException {
        String text = lowerCase(record);
        List<String> directives = directives(text);
        SPF1Record parsed = parseChecked(text + " ");
        if (directives.isEmpty() && parsed.getModifiers().stream().noneMatch(RedirectModifier.class::isInstance)) {
            directives = List.of(DEFAULT);
            parsed = parseChecked(text + " " + DEFAULT);
        }
        parsed.getModifiers().removeIf(ExpModifier.class::isInstance);
        observe(parsed.getDirectives(), directives);
        return parsed;
    }

    /// The letter after `%{` says by its case whether its value is escaped. Nothing else depends on case.
    private static String lowerCase(String record) {
        StringBuilder text = new StringBuilder(record);
        for (int i = 0; i < record.length(); i++) {
            char c = record.charAt(i);
            if (c >= 'A' && c <= 'Z' && !record.startsWith(MACRO, i - MACRO.length())) {
                text.setCharAt(i, Character.toLowerCase(c));
            }
        }
        return text.toString();
    }

    private static int countMacros(String term) {
        int count = 0;
        for (int at = term.indexOf(MACRO); at >= 0; at = term.indexOf(MACRO, at + 1)) {
            count++;
        }
        return count;
    }

    private static List<String> directives(String record) throws PermErrorException {
        List<String> directives = new ArrayList<>();
        for (String term : TextScan.words(record, c -> c == ' ', Integer.MAX_VALUE).stream()
                .skip(1)
                .filter(word -> !word.isEmpty())
                .toList()) {
            if (term.length() > MAX_TERM_CHARS) {
                throw new PermErrorException(term);
            }
            boolean isDirective = !MODIFIER.matcher(term).matches();
            if (countMacros(term) > MAX_MACROS
                    || INVALID_MACRO.matcher(term).find()
                    || (isDirective && LEADING_ZERO.matcher(term).find())) {
                throw new PermErrorException(term);
            }
            if (isDirective) {
                directives.add(term);
            }
        }
        return directives;
    }

    private SPF1Record parseChecked(String record) throws PermErrorException, NoneException, NeutralException {
        try {
            return parser.parse(record);
        } catch (NumberFormatException e) {
            throw new PermErrorException(record);
        }
    }

    private void observe(List<Directive> directives, List<String> terms) throws PermErrorException {
        for (int i = 0; i < directives.size(); i++) {
            Directive directive = directives.get(i);
            directives.set(
                    i,
                    new Directive(
                            directive.getQualifier(), new ObservedMechanism(directive.getMechanism(), terms.get(i))));
        }
    }

    private boolean isTooWide(String term) {
        Matcher cidr = CIDR.matcher(term);
        if (!cidr.find()) {
            return false;
        }
        String bits = cidr.group(ipv6 && !term.contains("ip6:") ? 2 : 1);
        return bits != null && Integer.parseInt(bits) < (ipv6 ? MIN_IPV6_BITS : MIN_IPV4_BITS);
    }

    /// A match of a directive that does not pass ends its record without `pass`, and so an include that led to it.
    private final class ObservedMechanism implements Mechanism {
        private final Mechanism mechanism;
        private final String term;

        ObservedMechanism(Mechanism mechanism, String term) {
            this.mechanism = mechanism;
            this.term = term;
        }

        @Override
        public @Nullable DNSLookupContinuation checkSPF(SPFSession session)
                throws PermErrorException, TempErrorException, NeutralException, NoneException {
            session.pushChecker(this::observe);
            Matcher matcher = HOST.matcher(term);
            if (!matcher.matches() || !(mechanism instanceof AMechanism ofHost)) {
                return mechanism.checkSPF(session);
            }
            String host = Objects.requireNonNullElse(matcher.group(1), CURRENT_DOMAIN);
            session.increaseCurrentDepth();
            session.pushChecker(expanded -> lookup(macros.expand(host, expanded, DOMAIN), ofHost, expanded));
            return macros.checkExpand(host, session, DOMAIN);
        }

        /// jSPF itself queries nothing for a host that is an address, so that `a:%{i}` would match every client, and
        /// fails on the digits of an IPv6 address.
        private @Nullable DNSLookupContinuation lookup(String host, AMechanism mechanism, SPFSession session) {
            session.setAttribute(IS_IPV4, !ipv6);
            try {
                return new DNSLookupContinuation(
                        new DNSRequest(host, ipv6 ? DNSRequest.AAAA : DNSRequest.A), mechanism);
            } catch (NoneException e) {
                session.setAttribute(Directive.ATTRIBUTE_MECHANISM_RESULT, false);
                return null;
            }
        }

        /// jSPF leaves no attribute for `all`, which always matches.
        private @Nullable DNSLookupContinuation observe(SPFSession session) {
            if (!Boolean.FALSE.equals(session.getAttribute(Directive.ATTRIBUTE_MECHANISM_RESULT))) {
                boolean passes = NOT_PASSING.indexOf(term.charAt(0)) < 0;
                isMatchedNetworkTooWide = passes && (isMatchedNetworkTooWide || isTooWide(term));
            }
            return null;
        }
    }
}
