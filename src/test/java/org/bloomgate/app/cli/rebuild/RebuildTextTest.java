package org.bloomgate.app.cli.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.bloomgate.lists.layer.SampleReport;
import org.junit.jupiter.api.Test;

class RebuildTextTest {
    @Test
    void everyPartOfAReportHasItsLines() {
        assertEquals("""
            layer nightly: published-with-failed-feeds, generation 20260302T020000Z-09af
            gate forced open: feed phish: shrank
            feed window failed, its last good copy is used, of 2026-03-01T02:00:00Z: 2 of 3 lines rejected
            feed    from            lines  entries  comments  rejects  held   keys  seconds
            phish   source          1,200    1,190         8        1     1  1,195      0.3
            window  last-good-copy      3        3         0        0     0      3      0.0
            feed   before  added  removed  retained
            phish   1,190     12        3         5
            kind     keys  added  removed  filter MiB  design rate  predicted rate
            domain  1,197     12        3        0.06      1.0e-06         2.5e-07
            phish:7 rejected, unsupported syntax: /evil[0-9]+/
            phish:9 held, allowed: popular.example: popular.example
            window: of today 4 lines were read: 1 entries, 1 comments, 2 rejects, 0 held
            window:2 of today rejected, not a host name: </html>
            blast radius: 3 of 7 messages delivered in the last day contain a newly listed key, 1 of them one that earlier messages contained
            phish would have stopped 3 messages, 1 of them with a key that earlier messages contained
            phish lists new.example, in F5HQ6BRWC35W of 2026-03-01T09:00:00Z
            wide, held, would have stopped 6 messages, 5 of them with a key that earlier messages contained
            wide lists wide.example, in F5HQ6BRWC35X of 2026-03-01T09:00:01Z
            proof: 0 of 1197 keys denied by their filter, 0 of 1197 not as written in the store
            read 1.5 s, build 0.5 s; peak heap 64 MiB
            """, RebuildText.of(SampleReport.PUBLISHED));
    }
}
