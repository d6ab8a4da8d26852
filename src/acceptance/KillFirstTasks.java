import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/// Kills the first attempt of the first task of each stage.
public final class KillFirstTasks extends SparkListener {
    @Override
    public void onTaskStart(SparkListenerTaskStart started) {
        if (started.taskInfo().index() == 0 && started.taskInfo().attemptNumber() == 0) {
            SparkContext.getOrCreate().killTaskAttempt(started.taskInfo().taskId(), true, "killed by the check");
        }
    }
}
