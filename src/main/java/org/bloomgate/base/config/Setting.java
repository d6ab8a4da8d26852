package org.bloomgate.base.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;
import java.util.OptionalInt;

/// One key of the configuration with its current value.
///
/// @param value as written in a file; a secret is `(set)`
/// @param defaultValue likewise
/// @param differs whether the two are different
/// @param origin file and line, `--set KEY` or the name of an environment variable; empty where the default applies
/// @param file that sets it, with its line; empty where no file does
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Setting(
        String key,
        String value,
        @JsonProperty("default") String defaultValue,
        boolean differs,
        Optional<String> origin,
        Optional<String> file,
        OptionalInt line) {}
