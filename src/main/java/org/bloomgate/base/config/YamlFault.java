package org.bloomgate.base.config;

import com.fasterxml.jackson.core.JsonParseException;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/// The reason why a text is not YAML, with the line of the cause: the parser stops where it cannot continue,
/// which for an open quote at the top may be the end of the file.
record YamlFault(int line, String cause) {

    static ConfigError of(String file, JsonParseException fault) {
        YamlFault located = fault.getCause() instanceof MarkedYAMLException marked
                ? of(marked)
                : new YamlFault(
                        fault.getLocation() == null ? 0 : fault.getLocation().getLineNr(), readFirstLine(fault));
        return new ConfigError(new Origin(file, located.line).toString(), "not valid YAML: " + located.cause);
    }

    private static String readFirstLine(JsonParseException fault) {
        return String.valueOf(fault.getOriginalMessage()).lines().findFirst().orElse("");
    }

    private static YamlFault of(MarkedYAMLException fault) {
        String context = String.valueOf(fault.getContext());
        String problem = String.valueOf(fault.getProblem());
        int here = toLineNumber(fault.getProblemMark());
        int opened = fault.getContextMark() == null ? here : toLineNumber(fault.getContextMark());
        if (problem.contains("TAB")) {
            return new YamlFault(here, "a tab; indent with blanks");
        } else if (context.contains("quoted scalar")) {
            return new YamlFault(opened, "the quote that opens here is not closed");
        } else if (context.contains("flow mapping")) {
            return new YamlFault(opened, "the { that opens here is not closed, or a comma is missing in it");
        } else if (context.contains("flow sequence")) {
            return new YamlFault(opened, "the [ that opens here is not closed, or a comma is missing in it");
        } else if (context.contains("alias") || problem.startsWith("found character")) {
            return new YamlFault(here, "a value that begins so must be in quotes, for example \"*\"");
        } else if (problem.startsWith("mapping values")) {
            return new YamlFault(
                    here,
                    "a ': ' too many (put a value that holds one in quotes), or the line before lacks its ':'"
                            + " or has another indent");
        } else if (problem.contains("could not find expected ':'")) {
            return new YamlFault(opened, "a key without ':'");
        } else if (context.contains("block")) {
            return new YamlFault(here, "the indent fits none of the lines above");
        }
        return new YamlFault(here, problem);
    }

    private static int toLineNumber(@Nullable Mark mark) {
        return mark == null ? 0 : mark.getLine() + 1;
    }
}
