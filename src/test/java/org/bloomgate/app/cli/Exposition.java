package org.bloomgate.app.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A scrape in Prometheus' text format 0.0.4, and what is wrong with it.
///
/// @param types by the name of the family
/// @param series every sample, name with labels, to its value
record Exposition(Map<String, String> types, Map<String, Double> series, List<String> faults) {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)})? ([-+0-9.eEINaNf]+)( -?[0-9]+)?");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");
    private static final Set<String> SCALED = Set.of("_milliseconds", "_millis", "_minutes", "_octets", "_kilobytes");

    static Exposition of(String text) {
        Reading reading = new Reading();
        text.lines().forEach(reading::line);
        reading.histograms();
        if (!text.endsWith("\n")) {
            reading.faults.add("the last line has no end");
        }
        return new Exposition(reading.types, reading.series, reading.faults);
    }

    private static final class Reading {
        private final Map<String, String> types = new TreeMap<>();
        private final Map<String, Double> series = new LinkedHashMap<>();
        private final Set<String> helped = new HashSet<>();
        private final Set<String> ended = new HashSet<>();
        private final List<String> faults = new ArrayList<>();
        private String family = "";

        private void line(String line) {
            if (line.startsWith("# HELP ")) {
                String[] parts = line.substring(7).split(" ", 2);
                begin(parts[0]);
                check(parts.length == 2 && !parts[1].isBlank(), "no help", line);
                check(helped.add(parts[0]), "help twice", line);
            } else if (line.startsWith("# TYPE ")) {
                String[] parts = line.substring(7).split(" ", -1);
                begin(parts[0]);
                check(parts.length == 2 && TYPES.contains(parts[1]), "type", line);
                check(types.put(parts[0], parts[parts.length - 1]) == null, "type twice", line);
                check(!parts[1].equals("counter") || parts[0].endsWith("_total"), "a counter ends in _total", line);
                check(parts[1].equals("counter") || !parts[0].endsWith("_total"), "no counter, though _total", line);
                check(SCALED.stream().noneMatch(parts[0]::endsWith), "no base unit", line);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                sample(line);
            }
        }

        private void begin(String name) {
            if (!name.equals(family)) {
                check(ended.add(family), "a family in two places", family);
                check(!ended.contains(name), "a family in two places", name);
                family = name;
            }
        }

        private void sample(String line) {
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                faults.add("no sample: " + line);
                return;
            }
            String name = sample.group(1);
            String type = types.getOrDefault(family, "none");
            boolean ofFamily = name.equals(family)
                    || (type.equals("histogram") && name.matches(family + "_(bucket|sum|count)"))
                    || (type.equals("summary") && name.matches(family + "_(sum|count)"));
            check(ofFamily && helped.contains(family), "outside of its family, or without help and type", line);
            String labels = sample.group(3) == null ? "" : sample.group(3);
            check(LABEL.matcher(labels).replaceAll("").matches(",*"), "labels", line);
            double value = Double.parseDouble(sample.group(4).replace("Inf", "Infinity"));
            check(series.put(name + "{" + labels + "}", value) == null, "a series twice", line);
        }

        /// Buckets are cumulative, and the last one, without a bound, is the count.
        private void histograms() {
            series.forEach((name, value) -> {
                if (name.contains("_count{")
                        && types.getOrDefault(name.replaceAll("_count\\{.*", ""), "")
                                .equals("histogram")) {
                    String start = name.replace("_count{", "_bucket{").replaceAll("}$", "");
                    List<Double> buckets = series.entrySet().stream()
                            .filter(one -> one.getKey().startsWith(start))
                            .map(Map.Entry::getValue)
                            .toList();
                    check(buckets.equals(buckets.stream().sorted().toList()), "not cumulative", name);
                    check(!buckets.isEmpty() && buckets.getLast().equals(value), "+Inf is not the count", name);
                    check(buckets(start).anyMatch(one -> one.endsWith("le=\"+Inf\"}")), "no +Inf", name);
                }
            });
        }

        private Stream<String> buckets(String start) {
            return series.keySet().stream().filter(one -> one.startsWith(start));
        }

        private void check(boolean right, String what, String where) {
            if (!right) {
                faults.add(what + ": " + where);
            }
        }
    }

    /// Names of samples, as an expression may use them.
    Set<String> names() {
        Set<String> names = new HashSet<>();
        series.keySet().forEach(name -> names.add(name.substring(0, name.indexOf('{'))));
        return names;
    }
}
