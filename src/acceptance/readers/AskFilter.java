import java.nio.file.Path;
import java.util.Scanner;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.filter.Filter;

/** Asks a filter for each line, KIND VALUE: maybe, absent or rejected. For a FILE that must not be used: status 1. */
public class AskFilter {
    public static void main(String[] arguments) throws Exception {
        try (Filter filter = Filter.open(Path.of(arguments[0])); Scanner lines = new Scanner(System.in, "UTF-8").useDelimiter("\n")) {
            while (lines.hasNext()) {
                String line = lines.next();
                int tab = line.indexOf('\t');
                System.out.println(answer(filter, KeyKind.ofLabel(line.substring(0, tab)).orElseThrow(), line.substring(tab + 1)));
            }
        } catch (java.io.IOException e) {
            System.err.println("rejected: " + e.getMessage());
            System.exit(1);
        }
    }

    private static String answer(Filter filter, KeyKind kind, String value) {
        try {
            return Filter.keys(kind, value, PublicSuffixes.bundled()).stream()
                    .filter(key -> key.kind() == filter.kind())
                    .map(key -> (filter.mightContain(key) ? "maybe " : "absent ") + key.text())
                    .collect(Collectors.joining("\t"));
        } catch (IllegalArgumentException e) {
            return "rejected: " + e.getMessage();
        }
    }
}
