package org.bloomgate.core.key;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.text.TextForms;

/// Parses phone numbers and converts them to the form of E.164: `+`, country code, national number, without
/// extension. A number without country code belongs to the first region that has such a number. Immutable,
/// thread-safe.
public final class PhoneNumbers {
    /// The fewest digits of a number that becomes a key; a shorter one can be called only in its own country or
    /// network.
    public static final int FEWEST_DIGITS = 7;

    /// The 15 digits of E.164, and `00` before them. Hides nothing: a longer number cannot be called.
    public static final int MOST_DIGITS = 17;

    /// The fewest digits of a number with a country code but without a sign: more than any national number has.
    public static final int FEWEST_WITHOUT_SIGN = 11;

    /// Accepts only numbers with a country code.
    public static final PhoneNumbers INTERNATIONAL = new PhoneNumbers(List.of());

    private final List<String> regions;

    /// @param regions ISO 3166 codes of two letters, valid by [#isRegion(String)]
    public PhoneNumbers(List<String> regions) {
        this.regions = List.copyOf(regions);
    }

    /// The regions of numbers without country code, in their order.
    List<String> regions() {
        return regions;
    }

    /// Whether this is the code of a region with phone numbers: `US`, not `us`.
    public static boolean isRegion(String code) {
        return PhoneNumberUtil.getInstance().getSupportedRegions().contains(code);
    }

    /// The canonical form of a number as people and programs write it: digits and separators, with or without
    /// `tel:`. Empty for a text with letters.
    public Optional<String> canonical(String text) {
        String number = withoutParameters(text.strip());
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

    /// A number of one of the regions with its country code; any other value unchanged.
    public String withCode(KeyKind kind, String value) {
        return kind == KeyKind.PHONE ? canonical(value).orElse(value) : value;
    }

    /// Tries the national form first, because a reader in the region would read it so.
    private Optional<String> ofDigits(String digits, boolean plus) {
        if (plus) {
            return international(digits);
        }
        Optional<String> number = national(digits);
        return number.isPresent() || !digits.startsWith("00") ? number : international(digits.substring(2));
    }

    /// The number in `tel:+1-202-555-0123;ext=5`, or in the same with the country code as its context (RFC
    /// 3966).
    private static String withoutParameters(String text) {
        String number = text.regionMatches(true, 0, "tel:", 0, 4) ? text.substring(4) : text;
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

    /// The number of these ASCII digits in one of the regions.
    public Optional<String> national(String digits) {
        for (int i = 0; i < regions.size() && isLength(digits); i++) {
            Optional<String> number = parse(digits, regions.get(i));
            if (number.isPresent()) {
                return number;
            }
        }
        return Optional.empty();
    }

    /// The number of these ASCII digits, which begin with a country code.
    public Optional<String> international(String digits) {
        return isLength(digits)
                ? parse("+" + digits, PhoneNumberUtil.REGION_CODE_FOR_NON_GEO_ENTITY)
                : Optional.empty();
    }

    /// The same for digits without a sign, which shows that there is a country code.
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
        } catch (NumberParseException e) {
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
