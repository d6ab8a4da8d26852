package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClientMemoryTest {
    private final ClientMemory memory = new ClientMemory(4000);

    @Test
    void aQuarterIsForMail() {
        assertTrue(memory.take(3000));
        assertFalse(memory.take(1));
        assertTrue(memory.takeForMail(1000));
        assertFalse(memory.takeForMail(1));
        assertEquals(4000, memory.takenBytes());
    }

    @Test
    void allOrNothingIsTaken() {
        assertFalse(memory.take(3001));
        assertEquals(0, memory.takenBytes());
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        memory.take(3000);
        memory.giveBack(3000);
        assertTrue(memory.take(3000));
    }

    @Test
    void whoWaitsGetsWhatIsGivenBack() {
        memory.take(3000);
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(() -> memory.takeWithin(1000, Duration.ofSeconds(30)));
        memory.giveBack(3000);
        assertTrue(waiting.join());
    }

    @Test
    void noOneWaitsForMoreThanThereIs() {
        assertFalse(memory.takeWithin(3001, Duration.ofDays(1)));
    }
}
