package org.mxinfer.spark

import java.util.ArrayDeque
import org.mxinfer.{Model, Options, Predictor}
import scala.collection.mutable

/** Makes predictors of a model. */
private[spark] trait Opener extends Serializable {
  def open(model: Model, options: Options): Predictor
}

/** The models of this JVM. Tasks that run at the same time, and those of later jobs, share the model of a place.
  *
  * The first task that has a row for a model loads it. The model is kept while a task uses it. Of the models that no task uses,
  * the last two are kept for later jobs. A loaded model is not checked again: give a new version of a model another uri or
  * sha256.
  */
private[spark] object Models {
  private val MaxIdle = 2

  /** In order of use; the last one was used last. */
  private val known = new mutable.LinkedHashMap[(ModelPlace, Opener), SharedModel]

  /** Returns the model of a place. The task must call `release`. Reads nothing yet. */
  def acquire(place: ModelPlace, opener: Opener): SharedModel = synchronized {
    val model = known.remove((place, opener)).getOrElse(new SharedModel(place, opener))
    known.put((place, opener), model)
    model.users += 1
    model
  }

  def release(model: SharedModel): Unit = synchronized {
    model.users -= 1
    val idle = known.filter { case (_, each) => each.users == 0 }
    idle.take(idle.size - MaxIdle).foreach { case (key, each) =>
      known.remove(key)
      each.close()
    }
  }
}

/** A model with its predictors. With one thread for each call, one predictor serves all tasks. With more threads, a predictor
  * admits at most as many calls as it has threads (docs/how-to/threads.md), so each running task has a predictor of its own.
  * They share the weights.
  */
private[spark] final class SharedModel(place: ModelPlace, opener: Opener) {

  /** Guarded by the lock of Models. */
  var users = 0
  private var model: Option[Model] = None
  private val free = new ArrayDeque[Predictor]

  /** Returns a predictor with this number of threads. If it had to load the model, calls `loaded` with the nanoseconds. */
  def take(threads: Int, loaded: Long => Unit): Predictor = synchronized {
    if (model.isEmpty) {
      val begin = System.nanoTime
      model = Some(place.load())
      loaded(System.nanoTime - begin)
    }
    val predictor =
      if (free.isEmpty) place.located(opener.open(model.get, place.nativeOptions(threads))) else free.pop()
    if (threads == 1) free.push(predictor)
    predictor
  }

  /** Returns a predictor to the model. */
  def give(predictor: Predictor, threads: Int): Unit = synchronized { if (threads != 1) free.push(predictor) }

  def close(): Unit = synchronized {
    while (!free.isEmpty) free.pop().close()
    model.foreach(_.close())
    model = None
  }
}
