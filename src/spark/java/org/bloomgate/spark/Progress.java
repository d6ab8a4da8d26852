package org.bloomgate.spark;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/// A line when a stage begins, one when it is done, and one every ten seconds between. On one thread of Spark's.
final class Progress extends SparkListener {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter err;
    private int stage;
    private int tasks;
    private int done;
    private long next;

    Progress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
        stage = submitted.stageInfo().stageId();
        tasks = submitted.stageInfo().numTasks();
        done = 0;
        tell();
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd ended) {
        if (ended.stageId() == stage && ended.taskInfo().successful()) {
            done++;
        }
        if (!ended.taskInfo().successful()) {
            err.println("spark: a task of stage " + ended.stageId() + " ended by " + ended.reason());
        }
        if (done == tasks || System.nanoTime() - next >= 0) {
            tell();
        }
    }

    private void tell() {
        next = System.nanoTime() + PAUSE;
        err.println("spark: stage " + stage + ", " + done + " of " + tasks + " tasks");
        err.flush();
    }
}
