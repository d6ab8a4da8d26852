package org.bloomgate.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.bloomgate.config.ConfigException;
import org.bloomgate.http.AnswerJson;
import org.bloomgate.local.Entry;
import org.bloomgate.local.EntryLine;
import org.bloomgate.local.EntryRefusedException;
import org.bloomgate.local.EntryText;
import org.bloomgate.local.LocalFile;
import picocli.CommandLine.Model.CommandSpec;

/// What `listing` and `exception` do alike: change the file of local entries and print what became of it.
record EntryFile(LocalFile file, Entry.Type type, PrintWriter out) {

    static EntryFile of(ConfigurationOptions configuration, Entry.Type type, CommandSpec spec) throws ConfigException {
        LocalFile file = new LocalFile(configuration.read().local(), InstantSource.system());
        return new EntryFile(file, type, spec.commandLine().getOut());
    }

    int add(String done, EntryText text) throws EntryRefusedException, IOException {
        Entry entry = text.entry(type, Instant.now());
        file.change(entries -> entries.with(entry));
        print(done, entry);
        return ExitStatus.FINE;
    }

    /// @throws EntryRefusedException when nothing was removed
    int remove(EntryText text) throws EntryRefusedException, IOException {
        LocalFile.Changed changed = file.change(entries -> entries.without(type, text));
        if (changed.before().size() == changed.after().size()) {
            String what = type.label();
            throw new EntryRefusedException("no such " + what + "; '" + what + " list' shows what there is");
        }
        List<Entry> left = changed.after().all();
        changed.before().of(type).stream()
                .filter(entry -> !left.contains(entry))
                .forEach(entry -> print("removed", entry));
        return ExitStatus.FINE;
    }

    int list(boolean json) throws IOException {
        file.read().of(type).stream()
                .map(EntryLine::shown)
                .forEach(line -> out.println(json ? AnswerJson.line(line) : EntryOptions.text(line)));
        return ExitStatus.FINE;
    }

    private void print(String done, Entry entry) {
        out.println(done + "  " + EntryOptions.text(EntryLine.shown(entry)));
    }
}
