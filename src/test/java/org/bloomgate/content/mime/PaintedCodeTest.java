package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.bloomgate.content.image.DrawnCode;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Codes of random content and size, drawn by each means with colours and lengths by chance.
class PaintedCodeTest {
    private static final String[][] TONES = {
        {"#000", "#fff"},
        {"hsl(240 60% 25%)", "hsl(55,90%,90%)"},
        {"rgb(10% 0% 30%)", "rgb(230,240,250)"},
        {"midnightblue", "papayawhip"},
        {"#333", "transparent"},
        {"rgba(0,0,0,.9)", "white"}
    };

    /// A code and how it is drawn: the side of a module and the two tones.
    private record Code(List<BitSet> rows, int side, int size, String dark, String light, SplittableRandom chance) {
        static Code of(int seed) {
            SplittableRandom chance = new SplittableRandom(seed);
            String text = "https://a.example/" + Long.toString(chance.nextLong(1L << chance.nextInt(10, 62)), 36);
            DrawnCode code = DrawnCode.of(text, 1);
            String[] tones = TONES[chance.nextInt(TONES.length)];
            return new Code(code.rows(1), code.side(1), 2 + chance.nextInt(7), tones[0], tones[1], chance);
        }

        boolean isDark(int x, int y) {
            return rows.get(y).get(x);
        }

        String tone(int x, int y) {
            return isDark(x, y) ? dark : light;
        }

        /// One past the last module of the same tone.
        int runEnd(int x, int y) {
            int end = x + 1;
            while (end < side && isDark(end, y) == isDark(x, y)) {
                end++;
            }
            return end;
        }
    }

    private interface Module {
        String of(int x, int y);
    }

    private static String modules(Code code, String beforeRow, Module module, String afterRow) {
        StringBuilder drawn = new StringBuilder();
        for (int y = 0; y < code.side(); y++) {
            drawn.append(beforeRow);
            for (int x = 0; x < code.side(); x++) {
                drawn.append(module.of(x, y));
            }
            drawn.append(afterRow);
        }
        return drawn.toString();
    }

    private static String runs(Code code, String beforeRow, Module run, String afterRow) {
        return modules(
                code,
                beforeRow,
                (x, y) -> x > 0 && code.isDark(x, y) == code.isDark(x - 1, y) ? "" : run.of(x, y),
                afterRow);
    }

    private enum Means {
        CELLS {
            @Override
            String draw(Code code) {
                return "<table>"
                        + modules(
                                code,
                                "<tr>",
                                (x, y) -> "<td style='width:%1$dpx;height:%1$dpx;background:%2$s'>"
                                        .formatted(code.size(), code.tone(x, y)),
                                "</tr>")
                        + "</table>";
            }
        },
        COLSPANS {
            @Override
            String draw(Code code) {
                return "<table>"
                        + runs(
                                code,
                                "<tr height=" + code.size() + ">",
                                (x, y) -> "<td colspan=%d width=%d style='background-color:%s'></td>"
                                        .formatted(
                                                code.runEnd(x, y) - x,
                                                (code.runEnd(x, y) - x) * code.size(),
                                                code.tone(x, y)),
                                "</tr>")
                        + "</table>";
            }
        },
        ROWSPANS {
            @Override
            String draw(Code code) {
                return "<table>"
                        + modules(
                                code,
                                "<tr>",
                                (x, y) -> {
                                    if (y > 0 && code.isDark(x, y) == code.isDark(x, y - 1)) {
                                        return "";
                                    }
                                    int end = y + 1;
                                    while (end < code.side() && code.isDark(x, end) == code.isDark(x, y)) {
                                        end++;
                                    }
                                    return "<td rowspan=%d height=%d width=%d bgcolor='%s'></td>"
                                            .formatted(
                                                    end - y,
                                                    (end - y) * code.size(),
                                                    code.size(),
                                                    code.isDark(x, y) ? "#102030" : "#ffe");
                                },
                                "</tr>")
                        + "</table>";
            }
        },
        SPANS_OF_BLANKS {
            @Override
            String draw(Code code) {
                return "<div style='font:%1$dpx/%1$dpx monospace'>".formatted(code.size() + 4)
                        + runs(
                                code,
                                "",
                                (x, y) -> "<span style='background:%s'>%s</span>"
                                        .formatted(code.tone(x, y), "&nbsp;&nbsp;".repeat(code.runEnd(x, y) - x)),
                                "<br>")
                        + "</div>";
            }
        },
        COLOURED_BLOCKS {
            @Override
            String draw(Code code) {
                return "<pre>"
                        + modules(
                                code,
                                "",
                                (x, y) -> "<font color='%s'>\u2588\u2588</font>"
                                        .formatted(code.isDark(x, y) ? "navy" : "#ffffee"),
                                "\n")
                        + "</pre>";
            }
        },
        FLOATS {
            @Override
            String draw(Code code) {
                int wide = code.side() * code.size();
                return "<div style='width:" + wide + "px'>"
                        + modules(
                                code,
                                "",
                                (x, y) -> "<div style='float:left;width:%1$dpx;height:%1$dpx;background:%2$s'></div>"
                                        .formatted(code.size(), code.tone(x, y)),
                                "")
                        + "</div>";
            }
        },
        PADDED_INLINE_BLOCKS {
            @Override
            String draw(Code code) {
                return runs(
                        code,
                        "<div style='white-space:nowrap;line-height:0;font-size:0'>",
                        (x, y) -> "<b style='display:inline-block;padding:%dpx %dpx;background:%s'></b>"
                                .formatted(code.size(), (code.runEnd(x, y) - x) * code.size(), code.tone(x, y)),
                        "</div>");
            }
        },
        PLACED {
            @Override
            String draw(Code code) {
                return "<div style='position:relative;width:300px;height:300px'>"
                        + modules(
                                code,
                                "",
                                (x, y) -> code.isDark(x, y)
                                        ? "<i style='position:absolute;right:%3$dpx;top:%1$dpx;width:%2$dpx;height:%2$dpx;background:#000'></i>"
                                                .formatted(
                                                        y * code.size(), code.size(), (code.side() - x) * code.size())
                                        : "",
                                "")
                        + "</div>";
            }
        },
        GRID {
            @Override
            String draw(Code code) {
                return "<div style='display:grid;width:%dpx;grid-template-columns:repeat(%d, 1fr)'>"
                                .formatted(code.side() * code.size(), code.side())
                        + runs(
                                code,
                                "",
                                (x, y) -> "<div style='grid-column:span %d;height:%dpx;background:%s'></div>"
                                        .formatted(code.runEnd(x, y) - x, code.size(), code.tone(x, y)),
                                "")
                        + "</div>";
            }
        },
        GRID_PLACES {
            @Override
            String draw(Code code) {
                return "<div style='display:grid;grid-template-columns:repeat(%1$d,%2$dpx);grid-auto-rows:%2$dpx'>"
                                .formatted(code.side(), code.size())
                        + runs(
                                code,
                                "",
                                (x, y) -> code.isDark(x, y)
                                        ? "<p style='margin:0;grid-area:%d/%d/auto/span %d;background:#123'></p>"
                                                .formatted(y + 1, x + 1, code.runEnd(x, y) - x)
                                        : "",
                                "")
                        + "</div>";
            }
        },
        FLEX {
            @Override
            String draw(Code code) {
                return runs(
                        code,
                        "<div style='display:flex;height:" + code.size() + "px'>",
                        (x, y) -> "<div style='width:%dpx;background:%s'></div>"
                                .formatted((code.runEnd(x, y) - x) * code.size(), code.tone(x, y)),
                        "</div>");
            }
        },
        BORDERS {
            @Override
            String draw(Code code) {
                return modules(
                        code,
                        "<div style='font-size:0;white-space:nowrap'>",
                        (x, y) -> "<span style='display:inline-block;width:0;height:0;border:%dpx solid %s'></span>"
                                .formatted(code.size(), code.tone(x, y)),
                        "</div>");
            }
        },
        GRADIENT_ROWS {
            @Override
            String draw(Code code) {
                StringBuilder drawn = new StringBuilder();
                for (int y = 0; y < code.side(); y++) {
                    StringBuilder stops = new StringBuilder();
                    for (int x = 0; x < code.side(); x = code.runEnd(x, y)) {
                        stops.append(",%s %dpx %dpx"
                                .formatted(code.tone(x, y), x * code.size(), code.runEnd(x, y) * code.size()));
                    }
                    drawn.append("<div style='height:%dpx;background:linear-gradient(90deg%s)'></div>"
                            .formatted(code.size(), stops));
                }
                return drawn.toString();
            }
        },
        GRADIENT_LAYERS {
            @Override
            String draw(Code code) {
                StringBuilder layers = new StringBuilder();
                for (int y = 0; y < code.side(); y++) {
                    for (int x = 0; x < code.side(); x++) {
                        if (code.isDark(x, y)) {
                            layers.append(layers.isEmpty() ? "" : ",")
                                    .append("linear-gradient(%1$s,%1$s) %2$dpx %3$dpx/%4$dpx %4$dpx no-repeat"
                                            .formatted(code.dark(), x * code.size(), y * code.size(), code.size()));
                        }
                    }
                }
                return "<div style='width:400px;height:400px;background:" + layers + "'></div>";
            }
        },
        SVG_GROUPS {
            @Override
            String draw(Code code) {
                StringBuilder drawn = new StringBuilder(
                        "<svg viewBox='0 0 400 400'><g transform='translate(7 9) scale(" + code.size() + ")'>");
                for (int y = 0; y < code.side(); y++) {
                    drawn.append("<g transform='matrix(1 0 0 1 0 ").append(y).append(")'>");
                    for (int x = rowStart(code, y);
                            x >= 0;
                            x = code.rows().get(y).nextSetBit(code.runEnd(x, y))) {
                        drawn.append("<rect x='%d' width='%d' height='1'/>".formatted(x, code.runEnd(x, y) - x));
                    }
                    drawn.append("</g>");
                }
                return drawn.append("</g></svg>").toString();
            }
        },
        SVG_PERCENT_LIGHT_ON_DARK {
            @Override
            String draw(Code code) {
                double share = 100.0 / code.side();
                return "<svg width='300' height='300'><rect width='100%' height='100%' fill='#102'/>"
                        + runs(
                                code,
                                "",
                                (x, y) -> code.isDark(x, y)
                                        ? ""
                                        : "<rect x='%.4f%%' y='%.4f%%' width='%.4f%%' height='%.4f%%' fill='#ffd'/>"
                                                .formatted(
                                                        x * share, y * share, (code.runEnd(x, y) - x) * share, share),
                                "")
                        + "</svg>";
            }
        },
        SVG_DASHES {
            @Override
            String draw(Code code) {
                StringBuilder drawn = new StringBuilder("<svg viewBox='0 0 %1$d %1$d'>".formatted(code.side()));
                for (int y = 0; y < code.side(); y++) {
                    StringBuilder dashes = new StringBuilder(code.isDark(0, y) ? "" : "0");
                    for (int x = 0; x < code.side(); x = code.runEnd(x, y)) {
                        dashes.append(' ').append(code.runEnd(x, y) - x);
                    }
                    drawn.append("<line x1='0' y1='%1$s' x2='%2$d' y2='%1$s' stroke='#012' stroke-dasharray='%3$s'/>"
                            .formatted(y + 0.5, code.side(), dashes));
                }
                return drawn.append("</svg>").toString();
            }
        },
        SVG_POLYGONS_TURNED {
            @Override
            String draw(Code code) {
                return "<svg viewBox='0 0 100 100'><g transform='rotate(90 50 50)'>"
                        + modules(
                                code,
                                "",
                                (x, y) -> code.isDark(x, y)
                                        ? "<polygon points='%1$d,%2$d %3$d,%2$d %3$d,%4$d %1$d,%4$d'/>"
                                                .formatted(x, y, x + 1, y + 1)
                                        : "",
                                "")
                        + "</g></svg>";
            }
        },
        SVG_TEXT {
            @Override
            String draw(Code code) {
                StringBuilder drawn = new StringBuilder("<svg viewBox='0 0 60 60'>");
                for (int y = 0; y < code.side(); y++) {
                    StringBuilder line = new StringBuilder();
                    for (int x = 0; x < code.side(); x++) {
                        line.append(code.isDark(x, y) ? '\u2588' : '\u00a0');
                    }
                    drawn.append("<text x='0' y='%d' font-size='1' textLength='%d'>%s</text>"
                            .formatted(y + 1, code.side(), line));
                }
                return drawn.append("</svg>").toString();
            }
        },
        SVG_SYMBOL {
            @Override
            String draw(Code code) {
                return "<svg viewBox='0 0 100 100'><defs><path id='m' d='M0 0h1v1h-1z'/></defs>"
                        + modules(
                                code,
                                "",
                                (x, y) -> code.isDark(x, y)
                                        ? "<use href='#m' transform='translate(%d,%d)'/>".formatted(x, y)
                                        : "",
                                "")
                        + "</svg>";
            }
        };

        abstract String draw(Code code);

        private static int rowStart(Code code, int y) {
            return code.rows().get(y).nextSetBit(0);
        }
    }

    @ParameterizedTest
    @EnumSource(Means.class)
    void codeDrawnByAnyMeans_isRead(Means means) {
        for (int seed = 0; seed < 6; seed++) {
            Code code = Code.of(seed);
            ReadMessage mail = ReadMessage.html("<p>Scan this</p>" + means.draw(code) + "<p>or call</p>");
            int shown = seed;
            assertTrue(mail.holds(Place.QR, "a.example"), () -> shown + ": " + code + mail);
            assertTrue(Set.of("picturePixels").containsAll(mail.limits()), () -> mail.toString());
        }
    }
}
