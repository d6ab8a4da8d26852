package org.bloomgate.core.key;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;

/// Phone numbers in the form of E.164: `+`, country code, national number, without extension. A number without
/// country code is one of the first region that has such a number. Immutable; safe for all threads.
public final class PhoneNumbers {
    /// The fewest digits of a number that becomes a key; a shorter one is reachable only in its own country or
    /// network.
    public static final int FEWEST_DIGITS = 7;

    /// 15 of E.164, and `00` before them. Hides nothing: no telephone dials more.
    public static final int MOST_DIGITS = 17;

    /// The fewest digits of a number with a country code but no sign before it: more than any national number
    /// has.
    public static final int FEWEST_WITHOUT_SIGN = 11;

    /// Takes numbers with country code alone.
    public static final PhoneNumbers INTERNATIONAL = new PhoneNumbers(List.of());

    private final List<String> regions;

    /// @param regions ISO 3166 codes of two letters, as [#isRegion(String)] knows them
    public PhoneNumbers(List<String> regions) {
        this.regions = List.copyOf(regions);
    }

    /// Those of numbers without country code, in their order.
    List<String> regions() {
        return regions;
    }

    /// Whether there are numbers of the region: `US`, not `us`.
    public static boolean isRegion(String code) {
        return PhoneNumberUtil.getInstance().getSupportedRegions().contains(code);
    }

    /// A number as people and programs write it: digits and what separates them, with or without `tel:`. Letters make
    /// it something else.
    public Optional<String> canonical(String written) {
        String number = withoutParameters(written.strip());
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            int digit = Character.digit(c, 10);
            if (digit >= 0) {
                digits.append((char) ('0' + digit));
            } else if (!isSeparator(c) && !(c == '+' && digits.isEmpty())) {
                return Optional.empty();
            }
        }
        return ofDigits(digits.toString(), number.indexOf('+') >= 0);
    }

    /// A number of one of the regions with its country code; any other value as it is.
    public String withCode(KeyKind kind, String value) {
        return kind == KeyKind.PHONE ? canonical(value).orElse(value) : value;
    }

    /// A national form first, as it is the one a reader of the region takes it for.
    private Optional<String> ofDigits(String digits, boolean plus) {
        if (plus) {
            return international(digits);
        }
        Optional<String> number = national(digits);
        return number.isPresent() || !digits.startsWith("00") ? number : international(digits.substring(2));
    }

    /// `tel:+1-202-555-0123;ext=5`, or the same with the country code as its context (RFC 3966).
    private static String withoutParameters(String written) {
        String number = written.regionMatches(true, 0, "tel:", 0, 4) ? written.substring(4) : written;
        int semicolon = number.indexOf(';');
        if (semicolon < 0) {
            return number;
        }
        String bare = number.substring(0, semicolon);
        String context = ";phone-context=+";
        int at = TextForms.lowerCase(number).indexOf(context, semicolon);
        if (at < 0 || bare.startsWith("+")) {
            return bare;
        }
        int end = number.indexOf(';', at + 1);
        return number.substring(at + context.length() - 1, end < 0 ? number.length() : end) + bare;
    }

    private static boolean isSeparator(char c) {
        return Character.isSpaceChar(c)
                || c == '\t'
                || Character.getType(c) == Character.DASH_PUNCTUATION
                || "().[]/_".indexOf(c) >= 0;
    }

    /// The number that these ASCII digits are in one of the regions.
    public Optional<String> national(String digits) {
        for (int i = 0; i < regions.size() && isLength(digits); i++) {
            Optional<String> number = parse(digits, regions.get(i));
            if (number.isPresent()) {
                return number;
            }
        }
        return Optional.empty();
    }

    /// The number that these ASCII digits are, country code first.
    public Optional<String> international(String digits) {
        return isLength(digits)
                ? parse("+" + digits, PhoneNumberUtil.REGION_CODE_FOR_NON_GEO_ENTITY)
                : Optional.empty();
    }

    /// The same where no sign says that there is a country code.
    public Optional<String> withoutSign(String digits) {
        return digits.length() < FEWEST_WITHOUT_SIGN ? Optional.empty() : international(digits);
    }

    private static boolean isLength(String digits) {
        return digits.length() >= FEWEST_DIGITS && digits.length() <= MOST_DIGITS;
    }

    private static Optional<String> parse(String number, String region) {
        PhoneNumberUtil numbers = PhoneNumberUtil.getInstance();
        try {
            PhoneNumber parsed = numbers.parse(number, region);
            return numbers.isValidNumber(parsed)
                    ? Optional.of(numbers.format(parsed, PhoneNumberFormat.E164))
                    : Optional.empty();
        } catch (NumberParseException notOne) {
            return Optional.empty();
        }
    }

    FeedKey feedKey(String entry) {
        return FeedKey.of(
                canonical(entry).map(PhoneNumbers::key),
                regions.isEmpty()
                        ? "no phone number with + and country code"
                        : "no phone number with + and country code, or of " + String.join(", ", regions));
    }

    static Key key(String canonical) {
        return new Key(KeyKind.PHONE, canonical);
    }
}
