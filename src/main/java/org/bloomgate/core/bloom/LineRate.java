package org.bloomgate.core.bloom;

/// The probability that all bits of a key are set in one 512-bit line, for a key that was not inserted.
///
/// The sum over j of Pois(j; load) * E[(X_j / B)^t]: j keys in the line, X_j bits set after t*j throws with
/// replacement into B = 512. The expectation is expanded to second order around the mean, which is accurate for
/// crowded lines, and these determine the rate.
final class LineRate {
    private static final double B = FilterSizing.LINE_BITS;

    /// Terms further from the mean than this many standard deviations, and this many keys more, add less than
    /// 1e-30.
    private static final double DEVIATIONS = 12;

    private static final double KEYS = 30;

    /// With so many throws for each bit, no bit is unset (e^-40 of them).
    private static final double SATURATED = 40;

    private LineRate() {}

    /// @param throwsPerKey bits that one key sets in the line (t)
    /// @param load mean number of keys in a line
    static double of(int throwsPerKey, double load) {
        if (load <= 0) {
            return 0;
        }
        if (load * throwsPerKey > SATURATED * B) {
            return 1;
        }
        double reach = DEVIATIONS * Math.sqrt(load) + KEYS;
        double first = Math.max(1, Math.floor(load - reach));
        double last = Math.ceil(load + reach);
        double probability = Math.exp(first * Math.log(load) - load - logFactorial(first));
        double sum = 0;
        for (double j = first; j <= last; j++) {
            sum += probability * allSet(throwsPerKey, j);
            probability *= load / (j + 1);
        }
        return Math.min(1, sum);
    }

    /// E[(X/B)^t] after j keys.
    private static double allSet(int t, double j) {
        double balls = t * j;
        double q = Math.pow(1 - 1 / B, balls);
        double mean = 1 - q;
        double variance = q / B + (1 - 1 / B) * Math.pow(1 - 2 / B, balls) - q * q;
        double secondOrder = 1 + t * (t - 1) / 2.0 * variance / (mean * mean);
        return Math.min(1, Math.pow(mean, t) * secondOrder);
    }

    /// Stirling's series from 20 on, where its error is below 1e-10.
    private static double logFactorial(double j) {
        if (j >= 20) {
            return j * Math.log(j) - j + 0.5 * Math.log(2 * Math.PI * j) + 1 / (12 * j) - 1 / (360 * j * j * j);
        }
        double sum = 0;
        for (double i = 2; i <= j; i++) {
            sum += Math.log(i);
        }
        return sum;
    }
}
