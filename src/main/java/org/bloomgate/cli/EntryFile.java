package org.bloomgate.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.bloomgate.config.ConfigException;
import org.bloomgate.http.AnswerJson;
import org.bloomgate.local.EntryLine;
import org.bloomgate.local.EntryRefusedException;
import org.bloomgate.local.LocalEntries;
import org.bloomgate.local.LocalFile;
import picocli.CommandLine.Model.CommandSpec;

/// What `listing` and `exception` do alike: change the file of local entries and print what became of it.
///
/// @param lines of the entries the command is about
record EntryFile(LocalFile file, Function<LocalEntries, List<EntryLine>> lines, PrintWriter out) {

    static EntryFile of(
            ConfigurationOptions configuration, Function<LocalEntries, List<EntryLine>> lines, CommandSpec spec)
            throws ConfigException {
        LocalFile file = new LocalFile(configuration.read().local(), InstantSource.system());
        return new EntryFile(file, lines, spec.commandLine().getOut());
    }

    int add(String done, EntryLine line, LocalFile.Change change) throws EntryRefusedException, IOException {
        file.change(change);
        print(done, line);
        return ExitStatus.FINE;
    }

    /// @param what it is about: the command's name too
    /// @throws EntryRefusedException when nothing was removed
    int remove(String what, LocalFile.Change change) throws EntryRefusedException, IOException {
        LocalFile.Changed changed = file.change(change);
        if (changed.before().size() == changed.after().size()) {
            throw new EntryRefusedException("no such " + what + "; '" + what + " list' shows what there is");
        }
        List<EntryLine> left = lines.apply(changed.after());
        for (EntryLine line : lines.apply(changed.before())) {
            if (!left.contains(line)) {
                print("removed", line);
            }
        }
        return ExitStatus.FINE;
    }

    int list(boolean json) throws IOException {
        lines.apply(file.read()).forEach(line -> out.println(json ? AnswerJson.line(line) : EntryOptions.text(line)));
        return ExitStatus.FINE;
    }

    private void print(String done, EntryLine line) {
        out.println(done + "  " + EntryOptions.text(line));
    }
}
